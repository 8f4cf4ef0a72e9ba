// The character that gets what is bought: one of the reader's own, or another one as a gift.

import { useQuery, type UseQueryResult } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Select, TextField } from '../../look/controls';
import { Loaded } from '../../look/query';
import { href } from '../../routes';
import type { Character, CharacterId, CharacterList, NewPurchase } from '../../sdk';
import { accountCharactersOptions } from '../../sdk/@tanstack/preact-query.gen';
import { shop } from './texts';

/** A site allows fewer characters per account than a page has. */
const MOST_CHARACTERS = 100;
/** The names that the API accepts. */
const NAME_PATTERN = "[A-Za-z0-9_]+([ '\\-][A-Za-z0-9_]+)*";

type To = Pick<NewPurchase, 'character_id' | 'character_name'>;

export interface Receiver {
  own: UseQueryResult<CharacterList, unknown>;
  chosen: CharacterId | undefined;
  choose: (id: CharacterId) => void;
  isGift: boolean;
  setGift: (isGift: boolean) => void;
  name: string;
  setName: (name: string) => void;
  /** Undefined if no character is chosen. */
  value: () => To | undefined;
}

export function useReceiver(): Receiver {
  const own = useQuery(accountCharactersOptions({ query: { limit: MOST_CHARACTERS } }));
  const items = own.data?.items;
  const [id, choose] = useState<CharacterId>();
  const [wantsGift, setGift] = useState(false);
  const [name, setName] = useState('');
  const chosen = id ?? items?.[0]?.character_id;
  const isGift = wantsGift || items?.length === 0;
  const value = (): To | undefined => {
    if (isGift) return name.trim() === '' ? undefined : { character_name: name.trim() };
    return chosen === undefined ? undefined : { character_id: chosen };
  };
  return { own, chosen, choose, isGift, setGift, name, setName, value };
}

export function ReceiverFields({ receiver }: { receiver: Receiver }) {
  return <Loaded query={receiver.own}>{({ items }) => <ReceiverChoice own={items} receiver={receiver} />}</Loaded>;
}

function ReceiverChoice({ own, receiver }: { own: Character[]; receiver: Receiver }) {
  const t = useTexts(shop);
  const { chosen, choose, isGift, setGift, name, setName } = receiver;
  return (
    <fieldset class="receiver">
      <legend>{t.receiver}</legend>
      {own.length === 0 ? (
        <p class="faint">
          {t.noCharacters} <Link href={href('characters')}>{t.toCharacters}</Link>
        </p>
      ) : (
        <div class="stack choices">
          <label class="choice">
            <input type="radio" name="receiver" checked={!isGift} onChange={() => setGift(false)} />
            <span>{t.ownCharacter}</span>
          </label>
          <label class="choice">
            <input type="radio" name="receiver" checked={isGift} onChange={() => setGift(true)} />
            <span>{t.gift}</span>
          </label>
        </div>
      )}
      {isGift ? (
        <TextField
          label={t.giftName}
          hint={t.giftHint}
          value={name}
          onValue={setName}
          required
          minLength={3}
          maxLength={29}
          pattern={NAME_PATTERN}
          title={t.namePattern}
          autoComplete="off"
          autoCapitalize="words"
          spellcheck={false}
        />
      ) : (
        <Select
          label={t.character}
          value={String(chosen)}
          choices={own.map((character) => [String(character.character_id), character.name] as const)}
          onValue={(value) => choose(Number(value))}
        />
      )}
    </fieldset>
  );
}
