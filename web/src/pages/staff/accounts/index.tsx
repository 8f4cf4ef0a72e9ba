// The accounts of players and of the staff.

import { useParams } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { idOf } from '../panel/address';
import { AccountDetail } from './detail';
import { AccountSearch } from './search';
import { accounts } from './texts';

export function Section() {
  const t = useTexts(accounts);
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <AccountSearch />;
  const accountId = idOf(id);
  if (accountId !== undefined) return <AccountDetail key={accountId} id={accountId} />;
  return (
    <Page title={t.title}>
      <Notice look="bad">{t.noNumber}</Notice>
    </Page>
  );
}
