// The mails of the site: which were sent, and which wait for a decision.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Time } from '../../../look/values';
import { adminDiscardMail, adminResendMail, type MailStatus, type ParkedMail, type StoredMail } from '../../../sdk';
import { adminMailsOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { Action } from '../panel/action';
import { oneOf, useListAddress } from '../panel/address';
import { AccountLink } from '../panel/links';
import { Paged } from '../panel/paged';
import { StatusFilter } from '../panel/status-filter';
import { Table, Tag, type Column, type TagLook } from '../panel/table';
import { panel } from '../panel/texts';
import { kinds } from './kinds';
import { mails } from './texts';

const LOOKS: Record<MailStatus, TagLook> = { waiting: 'plain', sent: 'good', parked: 'warning', discarded: 'plain' };

export function Section() {
  const t = useTexts(mails);
  const address = useListAddress();
  const status = oneOf(address.filter('status'), Object.keys(LOOKS) as MailStatus[]);
  const list = useQuery({
    ...adminMailsOptions({ query: { status, ...address.paging } }),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <div class="filters">
        <StatusFilter address={address} statuses={t.statuses} />
      </div>
      <Paged query={list} address={address} empty={<p>{status === 'parked' ? t.noneParked : t.none}</p>}>
        {(items) => <Table caption={t.title} columns={columns} items={items} keyOf={(mail) => mail.mail_id} />}
      </Paged>
    </Page>
  );
}

function useColumns(): Column<StoredMail>[] {
  const t = useTexts(mails);
  const p = useTexts(panel);
  const names = useTexts(kinds);
  return [
    {
      head: t.kind,
      look: 'main',
      cell: (mail) => (
        <>
          {names[mail.kind] ?? mail.kind}
          {mail.last_error !== undefined && <p class="faint">{t.lastError(mail.last_error)}</p>}
        </>
      ),
    },
    { head: t.recipient, cell: (mail) => mail.recipient },
    { head: p.account, cell: (mail) => <AccountLink id={mail.account_id} /> },
    { head: p.state, cell: (mail) => <Tag look={LOOKS[mail.status]}>{t.statuses[mail.status]}</Tag> },
    { head: p.created, cell: (mail) => <Time at={mail.created_at} /> },
    { head: t.expires, cell: (mail) => <Time at={mail.expires_at} /> },
    { head: p.actions, look: 'actions', cell: (mail) => mail.status === 'parked' && <Actions mail={mail} /> },
  ];
}

function Actions({ mail }: { mail: StoredMail }) {
  const t = useTexts(mails);
  const name = useTexts(kinds)[mail.kind] ?? mail.kind;
  const body = (): ParkedMail => ({ mail_id: mail.mail_id });
  const title = `${name} → ${mail.recipient}`;
  return (
    <>
      <Action<ParkedMail>
        name={`mail.resend/${mail.mail_id}`}
        send={(sent, headers) => adminResendMail({ body: sent, headers })}
        label={t.resend}
        labelOf={title}
        title={t.resend}
        text={t.resendText(name, mail.recipient)}
        confirm={t.resend}
        body={body}
        done={() => t.resent(mail.recipient)}
        audit={{ action: 'mail.resend' }}
      />
      <Action<ParkedMail>
        name={`mail.discard/${mail.mail_id}`}
        send={(sent, headers) => adminDiscardMail({ body: sent, headers })}
        label={t.discard}
        labelOf={title}
        look="danger"
        title={t.discard}
        text={t.discardText(name, mail.recipient)}
        confirm={t.discard}
        body={body}
        done={() => t.discarded(mail.recipient)}
        audit={{ action: 'mail.discard' }}
      />
    </>
  );
}
