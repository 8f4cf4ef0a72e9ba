// The audit log: what the staff did, and what it changed.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { adminAuditOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { idOf, useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { AuditLine } from './entry';
import { AuditFilters } from './filters';
import { audit } from './texts';

export function Section() {
  const t = useTexts(audit);
  const address = useListAddress(30);
  const entries = useQuery({
    ...adminAuditOptions({
      query: {
        account_id: idOf(address.filter('account_id')),
        about_account_id: idOf(address.filter('about_account_id')),
        action: address.filter('action'),
        since: address.filter('since'),
        until: address.filter('until'),
        ...address.paging,
      },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <AuditFilters address={address} />
      <Paged query={entries} address={address} empty={<p>{t.none}</p>}>
        {(items) => (
          <ol class="sheet audit-list">
            {items.map((entry) => (
              <AuditLine key={entry.audit_id} entry={entry} />
            ))}
          </ol>
        )}
      </Paged>
    </Page>
  );
}
