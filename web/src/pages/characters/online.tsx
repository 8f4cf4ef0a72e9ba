// The characters that are online.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../language/language';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { characterOnlineOptions } from '../../sdk/@tanstack/preact-query.gen';
import { CharacterTable } from './character-table';
import { characters } from './texts';

const CHARACTERS = 50;
/** Game servers report more often than this, but a reader of a list does not need every change. */
const RENEW_MS = 60_000;

export function OnlinePage() {
  const t = useTexts(characters);
  const { language } = useLanguage();
  const [search] = useSearchParams();
  const page = Number(search.get('page') ?? 1) || 1;
  const list = useQuery({
    ...characterOnlineOptions({ path: { page, limit: CHARACTERS } }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEW_MS,
  });
  const total = list.data?.total;
  return (
    <Page title={t.onlineTitle} below={<p class="faint">{total ? plural(language, total, t.onlineCount) : '…'}</p>}>
      <Loaded query={list}>
        {({ items, page: number, pages }) =>
          items.length === 0 ? (
            <Empty>
              <p>{t.nobodyOnline}</p>
              <Link class="button" href={href('highscores')}>
                {t.highscores}
              </Link>
            </Empty>
          ) : (
            <>
              <div class="sheet">
                <CharacterTable title={t.onlineTitle} items={items} />
              </div>
              <Pager page={number} pages={pages} address={(next) => `${href('online')}?page=${next}`} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
