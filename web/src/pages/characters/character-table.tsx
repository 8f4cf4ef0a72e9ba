// A table of characters.

import { useTexts } from '../../language/language';
import { Count } from '../../look/values';
import type { CharacterSummary } from '../../sdk';
import { CharacterLink, GuildLink } from './link';
import { characters } from './texts';

interface CharacterTableProps {
  title: string;
  items: CharacterSummary[];
  /** The place of the first item. Without it, the table has no places. */
  firstPlace?: number;
}

export function CharacterTable({ title, items, firstPlace }: CharacterTableProps) {
  const t = useTexts(characters);
  return (
    <table class="table character-table">
      <caption class="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {firstPlace !== undefined && (
            <th scope="col" class="number">
              <abbr title={t.place}>#</abbr>
            </th>
          )}
          <th scope="col">{t.name}</th>
          <th scope="col" class="number">
            {t.levelTitle}
          </th>
          <th scope="col" class="wide-only">
            {t.vocation}
          </th>
          <th scope="col" class="wide-only">
            {t.guild}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((character, index) => (
          <tr key={character.character_id}>
            {firstPlace !== undefined && (
              <td class="number place">
                <Count value={firstPlace + index} />
              </td>
            )}
            <th scope="row">
              <span class="row">
                <CharacterLink name={character.name} />
                {firstPlace !== undefined && character.online && <span class="tag good">{t.online}</span>}
              </span>
              <span class="narrow-only faint">
                {character.vocation}
                {character.guild_name !== undefined && <GuildLink name={character.guild_name} />}
              </span>
            </th>
            <td class="number">
              <Count value={character.level} />
            </td>
            <td class="wide-only">{character.vocation}</td>
            <td class="wide-only">{character.guild_name !== undefined && <GuildLink name={character.guild_name} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
