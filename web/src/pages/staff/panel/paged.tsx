// A page of a list, and the way to its other pages.

import type { UseQueryResult } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link, Redirect } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Empty, Loaded, Pager } from '../../../look/query';
import { look } from '../../../look/texts';
import type { ListAddress } from './address';

interface List<Item> {
  items: Item[];
  page: number;
  limit: number;
  pages?: number;
  total?: number;
  next?: string;
}

interface PagedProps<Item> {
  query: UseQueryResult<List<Item>, unknown>;
  address: ListAddress;
  empty: ComponentChildren;
  children: (items: Item[]) => ComponentChildren;
}

export function Paged<Item>({ query, address, empty, children }: PagedProps<Item>) {
  return (
    <Loaded query={query}>
      {(list) =>
        list.items.length === 0 ? (
          <EmptyPage address={query.isPlaceholderData ? undefined : address}>{empty}</EmptyPage>
        ) : (
          <div class="stack">
            {children(list.items)}
            {list.pages === undefined ? (
              <LongPager next={list.next} address={address} />
            ) : (
              <Pager
                list={list}
                address={(page) => address.link({ page: page === 1 ? undefined : page, after: undefined })}
              />
            )}
          </div>
        )
      }
    </Loaded>
  );
}

interface EmptyPageProps {
  /** Undefined while the list is that of another address. */
  address: ListAddress | undefined;
  children: ComponentChildren;
}

/** Nothing matches. A later page may only have lost its items, as after the last one of them was processed. */
function EmptyPage({ address, children }: EmptyPageProps) {
  const { page = 1, after } = address?.paging ?? {};
  if (!address || (page === 1 && after === undefined)) return <Empty>{children}</Empty>;
  return <Redirect to={address.link({ page: undefined, after: undefined })} replace />;
}

/** The API counts no pages of a list that is longer than 10,000 items: each page names the place of the next one. */
function LongPager({ next, address }: { next: string | undefined; address: ListAddress }) {
  const t = useTexts(look);
  const isFirst = address.paging.after === undefined;
  return (
    <nav class="pager" aria-label={t.pages}>
      {!isFirst && (
        <Link class="button quiet small" href={address.link({ page: undefined, after: undefined })}>
          {t.firstPage}
        </Link>
      )}
      {next !== undefined && (
        <Link class="button quiet small" href={address.link({ page: undefined, after: next })}>
          {t.next}
        </Link>
      )}
    </nav>
  );
}
