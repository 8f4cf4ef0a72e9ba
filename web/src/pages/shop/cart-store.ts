// The cart of this browser: offers, quantities and the price that the reader has seen.

import { Stored } from '../../api/stored';
import type { Offer, OfferId } from '../../sdk';

export interface CartLine {
  offerId: OfferId;
  quantity: number;
  /** Sent as `expected_price`: a purchase at another price is refused. */
  price: number;
}

const stored = new Stored<CartLine[]>('guildhall.cart');
/** The limits of a purchase. */
export const MOST_LINES = 20;
const MOST_PIECES = 100;

export function useCart(): CartLine[] {
  return stored.use() ?? [];
}

function change(next: (lines: CartLine[]) => CartLine[]): void {
  const lines = next(stored.read() ?? []).filter((line) => line.quantity > 0);
  stored.write(lines.length === 0 ? undefined : lines);
}

/** The largest quantity of an offer in a cart. The account may have bought pieces before: the API checks that. */
export function mostPieces(offer: Offer): number {
  return Math.min(offer.stock ?? MOST_PIECES, offer.account_limit ?? MOST_PIECES, MOST_PIECES);
}

/** Adds a piece. The price of pieces that are already in the cart stays as it was seen. */
export function addToCart(offer: Offer): void {
  change((lines) => {
    const line = lines.find(({ offerId }) => offerId === offer.offer_id);
    if (!line) return [...lines, { offerId: offer.offer_id, quantity: 1, price: offer.price }];
    line.quantity = Math.min(line.quantity + 1, mostPieces(offer));
    return lines;
  });
}

/** Zero removes the line. */
export function setQuantity(offerId: OfferId, quantity: number): void {
  change((lines) => lines.map((line) => (line.offerId === offerId ? { ...line, quantity } : line)));
}

export function acceptPrice(offerId: OfferId, price: number): void {
  change((lines) => lines.map((line) => (line.offerId === offerId ? { ...line, price } : line)));
}

/** Removes what was bought. Pieces that another tab has added meanwhile stay. */
export function removeBought(bought: { offer_id: OfferId; quantity: number }[]): void {
  change((lines) =>
    lines.map((line) => {
      const pieces = bought.find(({ offer_id }) => offer_id === line.offerId)?.quantity ?? 0;
      return { ...line, quantity: line.quantity - pieces };
    }),
  );
}
