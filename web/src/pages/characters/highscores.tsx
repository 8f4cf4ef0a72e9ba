// The characters by level.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Select } from '../../look/controls';
import { FIRST_PAGE, pageIn, pageParameters, type ListPage } from '../../look/list-page';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { characterHighscoresOptions } from '../../sdk/@tanstack/preact-query.gen';
import { CharacterTable } from './character-table';
import { characters } from './texts';
import { VOCATIONS } from './vocations';

const CHARACTERS = 50;
const ALL = '';

function addressOf(vocation: string, page: ListPage): string {
  const parameters = new URLSearchParams({
    ...(vocation !== ALL && { vocation }),
    ...pageParameters(page),
  });
  return `${href('highscores')}?${parameters.toString()}`;
}

export function HighscoresPage() {
  const t = useTexts(characters);
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const { page, after } = pageIn(search);
  const vocation = VOCATIONS.find((each) => each === search.get('vocation')) ?? ALL;
  const list = useQuery({
    ...characterHighscoresOptions({
      path: { page, limit: CHARACTERS },
      query: { ...(vocation !== ALL && { vocation }), ...(after !== undefined && { after }) },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.highscores}>
      <div class="list-choice">
        <Select
          label={t.vocation}
          value={vocation}
          choices={[[ALL, t.allVocations], ...VOCATIONS.map((each) => [each, each] as const)]}
          onValue={(value) => navigate(addressOf(value, FIRST_PAGE))}
        />
      </div>
      <Loaded query={list}>
        {(data) =>
          data.items.length === 0 ? (
            <Empty>
              <p>{vocation === ALL ? t.noneYet : t.noneOfVocation}</p>
              <Link class="button" href={href('characters')}>
                {t.toMine}
              </Link>
            </Empty>
          ) : (
            <>
              <div class="sheet">
                <CharacterTable
                  title={t.highscores}
                  items={data.items}
                  // The API does not count the characters before the place `after`.
                  {...(after === undefined && { firstPlace: (data.page - 1) * CHARACTERS + 1 })}
                />
              </div>
              <Pager
                list={data}
                after={after}
                address={(next) => addressOf(vocation, { page: next, after })}
                addressAfter={(place) => addressOf(vocation, { page: 1, after: place })}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
