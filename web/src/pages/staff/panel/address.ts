// Filters and the page of a list. They are in the address, so a link, a reload and the way back keep them.

import { useLocation, useSearchParams } from 'wouter-preact';

type Changes = Record<string, string | number | undefined>;

export interface ListAddress {
  /** The value of a filter. Undefined: the list is not filtered by it. */
  filter: (name: string) => string | undefined;
  /** Changes filters, and begins at the first page. */
  change: (filters: Changes) => void;
  /** The page as parameters of a list of the API. */
  paging: { page?: number; after?: string; limit: number };
  /** The address of this list with other parameters. */
  link: (parameters: Changes) => string;
}

export function useListAddress(limit = 20): ListAddress {
  const [path] = useLocation();
  const [search, setSearch] = useSearchParams();
  const after = search.get('after');
  const changed = (changes: Changes): URLSearchParams => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    return next;
  };
  return {
    filter: (name) => search.get(name) ?? undefined,
    change: (filters) => setSearch(changed({ ...filters, page: undefined, after: undefined })),
    paging: after === null ? { page: pageNumber(search), limit } : { after, limit },
    link: (parameters) => withSearch(path, changed(parameters)),
  };
}

function pageNumber(search: URLSearchParams): number {
  const page = search.get('page') ?? '1';
  return /^[1-9]\d{0,8}$/.test(page) ? Number(page) : 1;
}

/** A path with parameters. Parameters without a value are left out. */
export function withParameters(path: string, parameters: Changes): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return withSearch(path, new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
}

function withSearch(path: string, search: URLSearchParams): string {
  return search.size === 0 ? path : `${path}?${search}`;
}

/** A filter with a few values: any other text in the address is no filter. */
export function oneOf<Value extends string>(text: string | undefined, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === text);
}

/** What a field for an id accepts: `012` is no id. */
export const ID_PATTERN = '[1-9][0-9]{0,14}';

const ID = new RegExp(`^${ID_PATTERN}$`);

/** An id in the address or a field. Any other text is none. */
export function idOf(text: string | undefined): number | undefined {
  return text !== undefined && ID.test(text) ? Number(text) : undefined;
}
