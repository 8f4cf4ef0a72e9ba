// The page of a public list, in the address.

/** The number of the page. `after` is the place from which the pages count, if it is not the beginning of the list. */
export interface ListPage {
  page: number;
  after: string | undefined;
}

export const FIRST_PAGE: ListPage = { page: 1, after: undefined };

export function pageIn(search: URLSearchParams): ListPage {
  return { page: Number(search.get('page') ?? 1) || 1, after: search.get('after') ?? undefined };
}

/** The parameters of an address that leads to a page. */
export function pageParameters({ page, after }: ListPage): Record<string, string> {
  return { ...(page > 1 && { page: String(page) }), ...(after !== undefined && { after }) };
}
