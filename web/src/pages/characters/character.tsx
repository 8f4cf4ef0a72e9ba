// The public page of a character.

import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { problemOf } from '../../api/problem';
import { useTexts } from '../../language/language';
import { Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Shield } from '../../look/shield';
import { Count, Time } from '../../look/values';
import { href } from '../../routes';
import type { CharacterView } from '../../sdk';
import { characterDeathsOptions, characterViewOptions } from '../../sdk/@tanstack/preact-query.gen';
import { DeathTable } from './death-table';
import { deathTexts } from './death-texts';
import { addressOfDeaths } from './deaths';
import { characters } from './texts';

/** Further deaths are in the list. */
const DEATHS = 10;

export function CharacterPage() {
  const t = useTexts(characters);
  const { name } = useParams<{ name: string }>();
  const character = useQuery(characterViewOptions({ path: { name } }));
  const status = problemOf(character.error)?.status;
  // A name that no character may have is refused with 400.
  if (status === 404 || status === 400) {
    return (
      <Page title={t.noCharacter}>
        <Empty>
          <p>{t.noCharacterText}</p>
          <Link class="button" href={href('highscores')}>
            {t.highscores}
          </Link>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={character.data?.name ?? name}>
      <Loaded query={character}>{(data) => <Sheet character={data} />}</Loaded>
    </Page>
  );
}

function Sheet({ character }: { character: CharacterView }) {
  const t = useTexts(characters);
  const { guild } = character;
  return (
    <div class="character-sheets">
      <section class="sheet">
        <p>
          <span class={character.online ? 'tag good' : 'tag'}>{character.online ? t.online : t.offline}</span>
        </p>
        <dl class="facts">
          <dt>{t.levelTitle}</dt>
          <dd>
            <Count value={character.level} />
          </dd>
          <dt>{t.vocation}</dt>
          <dd>{character.vocation}</dd>
          <dt>{t.since}</dt>
          <dd>
            <Time at={character.created_at} date />
          </dd>
        </dl>
      </section>
      <section class="sheet">
        <h2>{t.guild}</h2>
        {guild ? (
          <div class="character-guild">
            <Shield name={guild.name} size={64} />
            <div>
              <h3>
                <Link href={href('guild', { name: guild.name })}>{guild.name}</Link>
              </h3>
              <p>{t.ranks[guild.rank]}</p>
              <p class="faint">
                {t.memberSince} <Time at={guild.joined_at} date />
              </p>
            </div>
          </div>
        ) : (
          <p class="faint">{t.noGuild}</p>
        )}
      </section>
      <DeathSheet name={character.name} />
    </div>
  );
}

function DeathSheet({ name }: { name: string }) {
  const t = useTexts(deathTexts);
  const deaths = useQuery(characterDeathsOptions({ path: { page: 1, limit: DEATHS }, query: { character: name } }));
  return (
    <section class="sheet character-deaths">
      <h2>{t.deaths}</h2>
      <Loaded query={deaths}>
        {({ items, next }) =>
          items.length === 0 ? (
            <p class="faint">{t.noneOf}</p>
          ) : (
            <>
              <DeathTable title={t.titleOf(name)} items={items} ofOneCharacter />
              {next !== undefined && (
                <p>
                  <Link href={addressOfDeaths(name)}>{t.allOf(name)}</Link>
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
