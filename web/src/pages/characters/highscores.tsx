// The characters by level.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Select } from '../../look/controls';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { characterHighscoresOptions } from '../../sdk/@tanstack/preact-query.gen';
import { CharacterTable } from './character-table';
import { characters } from './texts';
import { VOCATIONS } from './vocations';

const CHARACTERS = 50;
const ALL = '';

function addressOf(vocation: string, page: number): string {
  const parameters = new URLSearchParams({
    ...(vocation !== ALL && { vocation }),
    ...(page > 1 && { page: String(page) }),
  });
  return `${href('highscores')}?${parameters.toString()}`;
}

export function HighscoresPage() {
  const t = useTexts(characters);
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const page = Number(search.get('page') ?? 1) || 1;
  const vocation = VOCATIONS.find((each) => each === search.get('vocation')) ?? ALL;
  const list = useQuery({
    ...characterHighscoresOptions({
      path: { page, limit: CHARACTERS },
      ...(vocation !== ALL && { query: { vocation } }),
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
          onValue={(value) => navigate(addressOf(value, 1))}
        />
      </div>
      <Loaded query={list}>
        {({ items, page: number, pages }) =>
          items.length === 0 ? (
            <Empty>
              <p>{vocation === ALL ? t.noneYet : t.noneOfVocation}</p>
              <Link class="button" href={href('characters')}>
                {t.toMine}
              </Link>
            </Empty>
          ) : (
            <>
              <div class="sheet">
                <CharacterTable title={t.highscores} items={items} firstPlace={(number - 1) * CHARACTERS + 1} />
              </div>
              <Pager page={number} pages={pages} address={(next) => addressOf(vocation, next)} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}
