// The search for characters without a guild, and their invites.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { plural, useLanguage, useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button, TextField } from '../../look/controls';
import { Loaded } from '../../look/query';
import { guildInvite } from '../../sdk';
import type { CharacterWithoutGuild, GuildCharacter, GuildView } from '../../sdk';
import { guildPlayersWithoutOptions } from '../../sdk/@tanstack/preact-query.gen';
import { characters } from '../characters/texts';
import { guild as texts } from './guild-texts';

/** A search that the API accepts. */
const PREFIX = /^[A-Za-z0-9_]+([ '-][A-Za-z0-9_]+)*$/;
const PAUSE_MS = 300;

/** The value, after it has not changed for a moment: a request for each key would be too many. */
function useCalm(value: string): string {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

export function FreeCharacters({ guild, invited }: { guild: GuildView; invited: ReadonlySet<number> }) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const [text, setText] = useState('');
  // While a name is typed, it may end with a space.
  const search = useCalm(text.trim());
  const isSearchable = PREFIX.test(search);
  const found = useQuery({
    ...guildPlayersWithoutOptions({ query: { search, limit: 8 } }),
    enabled: isSearchable,
    placeholderData: keepPreviousData,
  });
  return (
    <div class="stack" role="search">
      <TextField
        label={t.inviteSearch}
        hint={t.inviteSearchHint}
        error={search !== '' && !isSearchable ? t.inviteSearchInvalid : undefined}
        type="search"
        value={text}
        onValue={setText}
        maxLength={29}
        autocomplete="off"
        spellcheck={false}
      />
      {isSearchable && (
        <Loaded query={found}>
          {(list) => (
            <>
              <p class={list.items.length === 0 ? '' : 'visually-hidden'} role="status">
                {list.items.length === 0 ? t.noneFound : plural(language, list.items.length, t.foundCount)}
              </p>
              <ul class="lines">
                {list.items.map((character) => (
                  <FreeCharacter
                    key={character.character_id}
                    guild={guild}
                    character={character}
                    isInvited={invited.has(character.character_id)}
                  />
                ))}
              </ul>
              {list.next !== undefined && <p class="faint">{t.moreFound}</p>}
            </>
          )}
        </Loaded>
      )}
    </div>
  );
}

interface FreeCharacterProps {
  guild: GuildView;
  character: CharacterWithoutGuild;
  isInvited: boolean;
}

function FreeCharacter({ guild, character, isInvited }: FreeCharacterProps) {
  const t = useTexts(texts);
  const { level } = useTexts(characters);
  const command = useCommand<GuildCharacter>({
    name: `guild.invite/${guild.guild_id}/${character.character_id}`,
    send: (body, headers) => guildInvite({ body, headers }),
  });
  return (
    <li>
      <div class="row spread">
        <span>
          <strong>{character.name}</strong>{' '}
          <span class="faint">
            {level(character.level)} · {character.vocation}
          </span>
        </span>
        {isInvited ? (
          <span class="tag good">{t.isInvited}</span>
        ) : (
          <Button
            small
            isBusy={command.isBusy}
            aria-label={t.inviteOne(character.name)}
            onClick={() => command.send({ guild_id: guild.guild_id, character_id: character.character_id })}
          >
            {t.invite}
          </Button>
        )}
      </div>
      <CommandNotice command={command} done={isInvited ? t.inviteSent(character.name) : undefined} />
    </li>
  );
}
