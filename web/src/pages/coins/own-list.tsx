// What the lists of an account have in common: their tabs, their pages, and the way to more coins.

import type { UseQueryResult } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Link, useSearchParams } from 'wouter-preact';
import { useAccount } from '../../api/account';
import { useTexts } from '../../language/language';
import { pageIn, pageParameters, type ListPage } from '../../look/list-page';
import { Members, Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { Coins } from '../../look/values';
import { href } from '../../routes';
import { historyTexts } from './history-texts';

/** Items of a page. */
export const ITEMS = 20;

type OwnListName = 'coinHistory' | 'payments';

const LISTS: OwnListName[] = ['coinHistory', 'payments'];

/** A page with a list of the account. A guest sees the link to the log-in. */
export function OwnListPage({ name, children }: { name: OwnListName; children: ComponentChildren }) {
  const t = useTexts(historyTexts);
  const account = useAccount();
  const balance = account && (
    <p>
      {t.balance} <Coins count={account.coins} />
    </p>
  );
  const toCoins = (
    <Link class="button quiet" href={href('coins')}>
      {t.buyCoins}
    </Link>
  );
  return (
    <Page title={t[name]} below={balance} aside={toCoins}>
      <Members>
        <nav class="tabs" aria-label={t.sections}>
          {LISTS.map((list) => (
            <Link key={list} href={href(list)} aria-current={list === name ? 'page' : undefined}>
              {t[list]}
            </Link>
          ))}
        </nav>
        {children}
      </Members>
    </Page>
  );
}

/** The page of the list in the address. */
export function useListPage(): ListPage {
  const [search] = useSearchParams();
  return pageIn(search);
}

interface OwnListProps<Item> {
  name: OwnListName;
  query: UseQueryResult<{ items: Item[]; page: number; limit: number; pages?: number; next?: string }, unknown>;
  /** The text if there are no items. */
  empty: string;
  /** An item of the list, with its key. */
  children: (item: Item) => ComponentChildren;
}

/** The items of a page, and the links to the other pages. */
export function OwnList<Item>({ name, query, empty, children }: OwnListProps<Item>) {
  const t = useTexts(historyTexts);
  const { after } = useListPage();
  const address = (page: ListPage): string => `${href(name)}?${new URLSearchParams(pageParameters(page)).toString()}`;
  return (
    <Loaded query={query}>
      {(list) =>
        list.items.length === 0 && list.page === 1 && after === undefined ? (
          <Empty>
            <p>{empty}</p>
            <Link class="button" href={href('coins')}>
              {t.buyCoins}
            </Link>
          </Empty>
        ) : (
          <>
            {list.items.length > 0 && <ul class="sheet plain-list own-list">{list.items.map(children)}</ul>}
            <Pager
              list={list}
              after={after}
              address={(page) => address({ page, after })}
              addressAfter={(place) => address({ page: 1, after: place })}
            />
          </>
        )
      }
    </Loaded>
  );
}
