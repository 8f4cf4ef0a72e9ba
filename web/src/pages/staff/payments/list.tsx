// The list of the payments.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useTexts } from '../../../language/language';
import { Button } from '../../../look/controls';
import { Page } from '../../../look/page';
import { paymentStatuses } from '../../../look/payment-statuses';
import { adminPaymentsOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { idOf, oneOf, useListAddress, type ListAddress } from '../panel/address';
import { IdField } from '../panel/id-field';
import { Paged } from '../panel/paged';
import { StatusFilter } from '../panel/status-filter';
import { panel } from '../panel/texts';
import { STATUSES } from './status';
import { statusTexts } from './status-texts';
import { PaymentTable } from './table';
import { payments } from './texts';

export function PaymentList() {
  const t = useTexts(payments);
  const s = useTexts(statusTexts);
  const statuses = useTexts(paymentStatuses);
  const address = useListAddress();
  const status = oneOf(address.filter('status'), STATUSES);
  const list = useQuery({
    ...adminPaymentsOptions({ query: { status, account_id: idOf(address.filter('account_id')), ...address.paging } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.title}>
      <p class="faint">{t.intro}</p>
      <div class="filters">
        <StatusFilter address={address} statuses={statuses} />
        <AccountFilter address={address} />
      </div>
      {status && <p>{s.meanings[status]}</p>}
      <Paged query={list} address={address} empty={<p>{t.none}</p>}>
        {(items) => <PaymentTable items={items} />}
      </Paged>
    </Page>
  );
}

function AccountFilter({ address }: { address: ListAddress }) {
  const t = useTexts(payments);
  const p = useTexts(panel);
  const given = address.filter('account_id') ?? '';
  const [account, setAccount] = useState(given);
  useEffect(() => setAccount(given), [given]);
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        address.change({ account_id: account });
      }}
    >
      <IdField label={t.accountNumber} value={account} onValue={setAccount} />
      <Button type="submit" icon="search">
        {p.filter}
      </Button>
    </form>
  );
}
