// The characters of the account.

import { useState } from 'preact/hooks';
import { useTexts } from '../../language/language';
import { Button, Notice } from '../../look/controls';
import { Members, Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Coins, Time } from '../../look/values';
import type { Character, CharacterRenamed } from '../../sdk';
import { Outcome } from '../../look/outcome';
import { CreateCharacter } from './create';
import { DeleteCharacter, KeepCharacter } from './delete';
import { CharacterLink, GuildLink } from './link';
import { LinkCode } from './link-code';
import { useMyCharacters } from './mine';
import { RenameDialog } from './rename';
import { characters } from './texts';

export function MyCharactersPage() {
  const t = useTexts(characters);
  return (
    <Page title={t.title}>
      <Members>
        <div class="columns">
          <MyCharacters />
          <div class="stack">
            <CreateCharacter />
            <LinkCode />
          </div>
        </div>
      </Members>
    </Page>
  );
}

function MyCharacters() {
  const t = useTexts(characters);
  const mine = useMyCharacters();
  return (
    <Loaded query={mine}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty>
            <p>{t.none}</p>
          </Empty>
        ) : (
          <ul class="sheet my-characters">
            {items.map((character) => (
              <MyCharacter key={character.character_id} character={character} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function MyCharacter({ character }: { character: Character }) {
  const t = useTexts(characters);
  const [isRenaming, setRenaming] = useState(false);
  const [message, setMessage] = useState<string>();
  const [renamed, setRenamed] = useState<CharacterRenamed>();
  const say = (text: string): void => {
    setRenamed(undefined);
    setMessage(text);
  };
  const isStaying = character.deletion_due_at === undefined;
  return (
    <li class="my-character">
      <div class="row spread">
        <div>
          <div class="row">
            <h2>
              <CharacterLink name={character.name} />
            </h2>
            {character.online && <span class="tag good">{t.online}</span>}
            {!character.confirmed && <span class="tag warning">{t.unconfirmed}</span>}
            {!isStaying && <span class="tag bad">{t.beingDeleted}</span>}
          </div>
          <p class="row faint">
            <span>{t.level(character.level)}</span>
            <span>{character.vocation}</span>
            {character.guild_name === undefined ? <span>{t.noGuild}</span> : <GuildLink name={character.guild_name} />}
          </p>
        </div>
        {isStaying && (
          <div class="row">
            <Button look="quiet" small aria-label={t.renameOne(character.name)} onClick={() => setRenaming(true)}>
              {t.rename}
            </Button>
            <DeleteCharacter character={character} onDone={say} />
          </div>
        )}
      </div>
      {!character.confirmed && <p class="faint">{t.unconfirmedHint}</p>}
      {character.former_name !== undefined && <Notice look="warning">{t.formerName(character.former_name)}</Notice>}
      {character.deletion_due_at !== undefined && (
        <div class="row">
          <p>
            {t.deletedAt} <Time at={character.deletion_due_at} />
          </p>
          <KeepCharacter character={character} onDone={say} />
        </div>
      )}
      <Outcome message={message} />
      {renamed && (
        <Notice look="good">
          {t.renamed(renamed.former_name, renamed.name)}{' '}
          {renamed.coins > 0 && (
            <>
              {t.paid} <Coins count={renamed.coins} />.
            </>
          )}
        </Notice>
      )}
      <RenameDialog
        character={character}
        isOpen={isRenaming}
        onClose={() => setRenaming(false)}
        onRenamed={(result) => {
          setMessage(undefined);
          setRenamed(result);
        }}
      />
    </li>
  );
}
