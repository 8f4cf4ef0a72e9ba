// The offers on sale, by category.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { shopCategoryListOptions, shopOnSaleOptions } from '../../sdk/@tanstack/preact-query.gen';
import { CartLink } from './cart-link';
import { useCart } from './cart-store';
import { OfferCard } from './offer-card';
import { shop } from './texts';

const OFFERS = 24;
const MOST_CATEGORIES = 100;

export function ShopPage() {
  const t = useTexts(shop);
  const [search] = useSearchParams();
  const page = Number(search.get('page') ?? 1) || 1;
  const category = Number(search.get('category') ?? 0) || undefined;
  const categories = useQuery(shopCategoryListOptions({ query: { limit: MOST_CATEGORIES } }));
  const offers = useQuery({
    ...shopOnSaleOptions({ query: { page, limit: OFFERS, ...(category && { category_id: category }) } }),
    placeholderData: keepPreviousData,
  });
  const visible = categories.data?.items.filter(({ hidden }) => !hidden) ?? [];
  // While the categories load, their row has its place already.
  const isChoice = categories.data === undefined || visible.length > 1;
  const chosen = visible.find(({ category_id }) => category_id === category);
  return (
    <Page title={t.shop} aside={<CartLink />}>
      {isChoice && (
        <nav class="tabs" aria-label={t.categories}>
          {[undefined, ...visible].map((choice) => (
            <Link
              key={choice?.category_id ?? 0}
              href={address(choice?.category_id)}
              aria-current={choice?.category_id === category ? 'page' : undefined}
            >
              {choice?.name ?? t.allOffers}
            </Link>
          ))}
        </nav>
      )}
      {chosen && chosen.description !== '' && <p class="faint">{chosen.description}</p>}
      <AddedNotice />
      <Loaded query={offers}>
        {(list) => (
          <>
            {list.items.length === 0 && (
              <Empty>
                <p>{category ? t.noOffersHere : t.noOffers}</p>
                {category && (
                  <Link class="button quiet" href={href('shop')}>
                    {t.allOffers}
                  </Link>
                )}
              </Empty>
            )}
            <ul class="cards" aria-busy={offers.isPlaceholderData}>
              {list.items.map((offer) => (
                <OfferCard key={offer.offer_id} offer={offer} />
              ))}
            </ul>
            <Pager list={list} address={(number) => address(category, number)} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function address(category: number | undefined, page = 1): string {
  const query = new URLSearchParams();
  if (category) query.set('category', String(category));
  if (page > 1) query.set('page', String(page));
  return query.size === 0 ? href('shop') : `${href('shop')}?${query}`;
}

/** Says what is in the cart, and leads to it. Screen readers hear it after each addition. */
function AddedNotice() {
  const t = useTexts(shop);
  const cart = useCart();
  const pieces = cart.reduce((sum, line) => sum + line.quantity, 0);
  if (pieces === 0) return null;
  return (
    <Notice>
      {t.piecesInCart(pieces)}
      <Link class="end" href={href('cart')}>
        {t.toCart}
      </Link>
    </Notice>
  );
}
