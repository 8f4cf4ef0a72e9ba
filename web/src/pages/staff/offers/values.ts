// The fields of an offer that a merchant changes. Numbers are texts while they are typed.

import type { ChangedOffer, Grant, GrantKind, Offer } from '../../../sdk';

export interface GrantValues {
  kind: GrantKind;
  id: string;
  count: string;
}

export interface OfferValues {
  category_id: number;
  name: string;
  description: string;
  picture: string;
  price: string;
  grants: GrantValues[];
  account_limit: string;
  hidden: boolean;
  /** Only of a new offer: the stock of a stored offer is no part of its form. */
  stock?: string;
}

export const GRANT_KINDS: readonly GrantKind[] = ['item', 'container', 'outfit', 'mount', 'premium_days'];

export const NEW_GRANT: GrantValues = { kind: 'item', id: '', count: '1' };

/** The values of a stored offer, or of the body that changes it. */
export function valuesOf(offer: Offer | ChangedOffer): OfferValues {
  return {
    category_id: offer.category_id,
    name: offer.name,
    description: offer.description,
    picture: offer.picture,
    price: String(offer.price),
    grants: offer.grants.map(({ kind, id, count }) => ({ kind, id, count: String(count) })),
    account_limit: offer.account_limit === undefined ? '' : String(offer.account_limit),
    hidden: offer.hidden,
  };
}

interface OfferFields {
  category_id: number;
  name: string;
  description: string;
  picture: string;
  price: number;
  grants: Grant[];
  account_limit?: number;
  hidden: boolean;
}

/** The fields as the API has them. */
export function fieldsOf(values: OfferValues): OfferFields {
  return {
    category_id: values.category_id,
    name: values.name.trim(),
    description: values.description,
    picture: values.picture.trim(),
    price: Number(values.price),
    grants: values.grants.map(({ kind, id, count }) => ({ kind, id: id.trim(), count: Number(count) })),
    ...(values.account_limit !== '' && { account_limit: Number(values.account_limit) }),
    hidden: values.hidden,
  };
}
