// A table of deaths.

import { useTexts } from '../../language/language';
import { Count, Time } from '../../look/values';
import type { CharacterDeath } from '../../sdk';
import { deathTexts } from './death-texts';
import { CharacterLink } from './link';
import { characters } from './texts';

interface DeathTableProps {
  title: string;
  items: CharacterDeath[];
  /** Whether all deaths are those of one character. Its name is not repeated in each row then. */
  ofOneCharacter?: boolean;
}

export function DeathTable({ title, items, ofOneCharacter = false }: DeathTableProps) {
  const t = useTexts(deathTexts);
  const { levelTitle } = useTexts(characters);
  return (
    <table class="table character-table death-table">
      <caption class="visually-hidden">{title}</caption>
      <thead>
        <tr>
          {!ofOneCharacter && <th scope="col">{t.character}</th>}
          <th scope="col" class={ofOneCharacter ? undefined : 'wide-only'}>
            {t.time}
          </th>
          <th scope="col" class="number">
            {levelTitle}
          </th>
          <th scope="col">{t.killedBy}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((death) => (
          <tr key={`${death.character_id} ${death.death_id}`}>
            {!ofOneCharacter && (
              <th scope="row">
                <CharacterLink name={death.character_name} />
                <span class="narrow-only faint">
                  <Time at={death.died_at} />
                </span>
              </th>
            )}
            <td class={ofOneCharacter ? undefined : 'wide-only'}>
              <Time at={death.died_at} />
            </td>
            <td class="number">
              <Count value={death.level} />
            </td>
            <td>
              <Killer death={death} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Killer({ death: { killed_by: name, killer_is_player: isPlayer } }: { death: CharacterDeath }) {
  const t = useTexts(deathTexts);
  if (name === undefined) return <>{t.unknownPlayer}</>;
  return isPlayer ? <CharacterLink name={name} /> : <>{name}</>;
}
