// The offers of the cart, as they are on sale now.

import { useQueries } from '@tanstack/preact-query';
import { problemOf } from '../../api/problem';
import type { Offer, OfferId } from '../../sdk';
import { shopOfferFindOptions } from '../../sdk/@tanstack/preact-query.gen';
import { mostPieces, type CartLine } from './cart-store';

/** An offer, `gone` if it is no longer on sale, or undefined while it is not loaded. */
export type FoundOffer = Offer | 'gone' | undefined;

export type Offers = ReadonlyMap<OfferId, FoundOffer>;

export function useOffers(ids: OfferId[]): Offers {
  const found = useQueries({ queries: ids.map((id) => shopOfferFindOptions({ path: { id } })) });
  return new Map(
    ids.map((id, place) => {
      const query = found[place];
      return [id, problemOf(query?.error)?.status === 404 ? 'gone' : query?.data];
    }),
  );
}

/** What keeps a line from being bought as it is. */
export type LineProblem = 'gone' | 'priceChanged' | 'soldOut' | 'tooMany' | undefined;

export function problemOfLine(line: CartLine, offer: FoundOffer): LineProblem {
  if (offer === undefined) return undefined;
  if (offer === 'gone') return 'gone';
  if (offer.stock === 0) return 'soldOut';
  if (line.quantity > mostPieces(offer)) return 'tooMany';
  return offer.price === line.price ? undefined : 'priceChanged';
}
