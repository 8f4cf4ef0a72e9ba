// The history of the account's coins.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Coins, Time } from '../../look/values';
import { href } from '../../routes';
import type { CoinEntry } from '../../sdk';
import { accountCoinsOptions } from '../../sdk/@tanstack/preact-query.gen';
import { historyTexts } from './history-texts';
import { ITEMS, OwnList, OwnListPage, useListPage } from './own-list';

export function CoinHistoryPage() {
  return (
    <OwnListPage name="coinHistory">
      <CoinHistory />
    </OwnListPage>
  );
}

function CoinHistory() {
  const t = useTexts(historyTexts);
  const { page, after } = useListPage();
  const entries = useQuery({
    ...accountCoinsOptions({ path: { page, limit: ITEMS }, query: after === undefined ? {} : { after } }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  return (
    <OwnList name="coinHistory" query={entries} empty={t.noChanges}>
      {(entry) => <Change key={entry.transfer_id} entry={entry} />}
    </OwnList>
  );
}

function Change({ entry }: { entry: CoinEntry }) {
  const t = useTexts(historyTexts);
  const { coins, payment_id: payment, purchase_id: purchase, reason } = entry;
  return (
    <li class="own-list-item">
      <div>
        <p class="own-list-title">{t.kinds[entry.kind]}</p>
        {reason !== undefined && <p class="own-list-reason">{t.reason(reason)}</p>}
        <p class="row faint">
          <Time at={entry.happened_at} />
          {payment !== undefined && <Link href={href('payment', { id: payment })}>{t.toPayment}</Link>}
          {purchase !== undefined && <Link href={href('purchases')}>{t.purchaseNumber(purchase)}</Link>}
        </p>
      </div>
      <p class={`own-list-coins ${coins > 0 ? 'good' : ''}`}>
        {coins > 0 && '+'}
        <Coins count={coins} />
      </p>
    </li>
  );
}
