// The characters that are online.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../language/language';
import { pageIn, pageParameters, type ListPage } from '../../look/list-page';
import { Page } from '../../look/page';
import { Empty, Loaded, MOST_COUNTED, Pager } from '../../look/query';
import { href } from '../../routes';
import type { CharacterSummaryList } from '../../sdk';
import { characterOnlineOptions } from '../../sdk/@tanstack/preact-query.gen';
import { CharacterTable } from './character-table';
import { characters } from './texts';

const CHARACTERS = 50;
/** Game servers report more often than this, but a reader of a list does not need every change. */
const RENEW_MS = 60_000;

function addressOf(page: ListPage): string {
  return `${href('online')}?${new URLSearchParams(pageParameters(page)).toString()}`;
}

export function OnlinePage() {
  const t = useTexts(characters);
  const { language } = useLanguage();
  const [search] = useSearchParams();
  const { page, after } = pageIn(search);
  const list = useQuery({
    ...characterOnlineOptions({ path: { page, limit: CHARACTERS }, query: after === undefined ? {} : { after } }),
    placeholderData: keepPreviousData,
    refetchInterval: RENEW_MS,
  });
  const countOf = ({ total }: CharacterSummaryList): string =>
    total === undefined
      ? t.onlineMany(new Intl.NumberFormat(language).format(MOST_COUNTED))
      : plural(language, total, t.onlineCount);
  return (
    <Page title={t.onlineTitle} below={<p class="faint">{list.data ? countOf(list.data) : '…'}</p>}>
      <Loaded query={list}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty>
              <p>{t.nobodyOnline}</p>
              <Link class="button" href={href('highscores')}>
                {t.highscores}
              </Link>
            </Empty>
          ) : (
            <>
              <div class="sheet">
                <CharacterTable title={t.onlineTitle} items={data.items} />
              </div>
              <Pager
                list={data}
                after={after}
                address={(next) => addressOf({ page: next, after })}
                addressAfter={(place) => addressOf({ page: 1, after: place })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
