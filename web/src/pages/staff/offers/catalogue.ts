// All categories and offers. A shop has some hundreds at most, and ordering them needs all.

import { queryOptions } from '@tanstack/preact-query';
import { shopCategoryList, shopOfferList, type Category, type Offer } from '../../../sdk';

export interface Catalogue {
  categories: Category[];
  offers: Offer[];
}

const LIMIT = 100;
/** A shop with more entries shows only the first ones here. */
const MOST_PAGES = 50;

interface PageOf<Item> {
  items: Item[];
  next?: string;
}

/** Reads all pages of a list. */
async function all<Item>(load: (after: string | undefined) => Promise<PageOf<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const part = await load(after);
    items.push(...part.items);
    after = part.next;
    if (after === undefined) break;
  }
  return items;
}

export function catalogueOptions() {
  return queryOptions<Catalogue, unknown>({
    queryKey: ['catalogue'],
    queryFn: async ({ signal }) => {
      const categories = await all(
        async (after) => (await shopCategoryList({ query: { limit: LIMIT, after }, signal, throwOnError: true })).data,
      );
      const offers = await all(
        async (after) => (await shopOfferList({ query: { limit: LIMIT, after }, signal, throwOnError: true })).data,
      );
      return { categories, offers };
    },
  });
}
