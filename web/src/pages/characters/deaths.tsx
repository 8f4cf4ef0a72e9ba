// The last deaths: of all characters, or of one.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { FIRST_PAGE, pageIn, pageParameters, type ListPage } from '../../look/list-page';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { characterDeathsOptions } from '../../sdk/@tanstack/preact-query.gen';
import { DeathTable } from './death-table';
import { deathTexts } from './death-texts';
import { characters } from './texts';

const DEATHS = 50;

/** The address of the deaths of a character, or of all. */
export function addressOfDeaths(character: string | null, page: ListPage = FIRST_PAGE): string {
  const parameters = new URLSearchParams({
    ...(character !== null && { character }),
    ...pageParameters(page),
  });
  return `${href('deaths')}?${parameters.toString()}`;
}

export function DeathsPage() {
  const t = useTexts(deathTexts);
  const { highscores } = useTexts(characters);
  const [search] = useSearchParams();
  const { page, after } = pageIn(search);
  const character = search.get('character');
  const list = useQuery({
    ...characterDeathsOptions({
      path: { page, limit: DEATHS },
      query: { ...(character !== null && { character }), ...(after !== undefined && { after }) },
    }),
    placeholderData: keepPreviousData,
  });
  const title = character === null ? t.title : t.titleOf(character);
  return (
    <Page
      title={title}
      below={
        character !== null && (
          <p>
            <Link href={href('deaths')}>{t.all}</Link>
          </p>
        )
      }
    >
      <Loaded query={list}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty>
              <p>{character === null ? t.none : t.noneOf}</p>
              <Link class="button" href={href('highscores')}>
                {highscores}
              </Link>
            </Empty>
          ) : (
            <>
              <div class="sheet">
                <DeathTable title={title} items={data.items} ofOneCharacter={character !== null} />
              </div>
              <Pager
                list={data}
                after={after}
                address={(next) => addressOfDeaths(character, { page: next, after })}
                addressAfter={(place) => addressOfDeaths(character, { page: 1, after: place })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
