import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Loaded } from '../../look/query';
import { Coins } from '../../look/values';
import { href } from '../../routes';
import { shopOnSaleOptions } from '../../sdk/@tanstack/preact-query.gen';
import { front } from './texts';

export function SomeOffers() {
  const t = useTexts(front);
  const offers = useQuery(shopOnSaleOptions({ query: { limit: 5 } }));
  return (
    <section class="sheet">
      <h2>{t.shop}</h2>
      <Loaded query={offers}>
        {(list) => (
          <>
            {list.items.length === 0 && <p class="faint">{t.noOffers}</p>}
            <ul class="front-list">
              {list.items.map((offer) => (
                <li key={offer.offer_id}>
                  <span>{offer.name}</span>
                  <span class="faint end">
                    <Coins count={offer.price} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <p>
        <Link href={href('shop')}>{t.toShop}</Link>
      </p>
    </section>
  );
}
