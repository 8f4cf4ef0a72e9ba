// The purchases of the account, with the progress of their deliveries.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Icon } from '../../look/icon';
import { Members, Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { Coins, Time } from '../../look/values';
import { href } from '../../routes';
import type { PurchaseState } from '../../sdk';
import { shopPurchasesOptions } from '../../sdk/@tanstack/preact-query.gen';
import { Delivery } from './delivery';
import { purchases as purchaseTexts } from './purchase-texts';
import { shop } from './texts';

const PURCHASES = 10;
/** A delivery usually arrives within seconds. One that takes longer waits for a game server that is away. */
const SOON_MS = 5 * 60 * 1000;
const FAST_POLL_MS = 2_000;
const SLOW_POLL_MS = 20_000;

export function PurchasesPage() {
  const t = useTexts(purchaseTexts);
  return (
    <Page title={t.purchases}>
      <Members>
        <Purchases />
      </Members>
    </Page>
  );
}

/** The pause before the list is read again. `false`: nothing on the page can change by itself. */
function pollInterval(purchases: PurchaseState[]): number | false {
  const open = purchases.filter(({ lines }) =>
    lines.some(({ status }) => status !== 'delivered' && status !== 'discarded'),
  );
  if (open.length === 0) return false;
  const isRecent = open.some((purchase) =>
    purchase.lines.some(
      ({ status, timeline }) =>
        (status === 'waiting' || status === 'leased') &&
        Date.now() - Date.parse(timeline.at(-1)?.happened_at ?? purchase.purchased_at) < SOON_MS,
    ),
  );
  return isRecent ? FAST_POLL_MS : SLOW_POLL_MS;
}

function Purchases() {
  const t = useTexts(purchaseTexts);
  const { seeOffers } = useTexts(shop);
  const [search] = useSearchParams();
  const page = Number(search.get('page') ?? 1) || 1;
  const bought = Number(search.get('bought') ?? 0);
  const purchases = useQuery({
    ...shopPurchasesOptions({ path: { page, limit: PURCHASES } }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => pollInterval(state.data?.items ?? []),
  });
  return (
    <Loaded query={purchases}>
      {(list) => (
        <>
          {list.items.length === 0 && (
            <Empty>
              <p>{t.noPurchases}</p>
              <Link class="button" href={href('shop')}>
                {seeOffers}
              </Link>
            </Empty>
          )}
          {list.items.some(({ purchase_id }) => purchase_id === bought) && (
            <Notice look="good">
              <Icon name="check" />
              {t.bought}
            </Notice>
          )}
          {list.items.map((purchase) => (
            <Purchase key={purchase.purchase_id} purchase={purchase} />
          ))}
          <Pager list={list} address={(number) => `${href('purchases')}?page=${number}`} />
        </>
      )}
    </Loaded>
  );
}

function Purchase({ purchase }: { purchase: PurchaseState }) {
  const t = useTexts(purchaseTexts);
  return (
    <section class="sheet purchase" id={`purchase-${purchase.purchase_id}`}>
      <div class="row spread">
        <div>
          <h2>{t.forCharacter(purchase.character_name)}</h2>
          <p class="faint">
            {t.purchaseNumber(purchase.purchase_id)} · <Time at={purchase.purchased_at} />
          </p>
        </div>
        <p class="price">
          <Coins count={purchase.coins} />
        </p>
      </div>
      <ul class="plain-list purchase-lines">
        {purchase.lines.map((line) => (
          <Delivery key={line.delivery_id} line={line} />
        ))}
      </ul>
    </section>
  );
}
