// The form that creates a character.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { Select } from '../../look/controls';
import { CommandForm } from '../../look/command';
import { accountCreateCharacter } from '../../sdk';
import type { CharacterCreated, NewCharacter } from '../../sdk';
import { NameField } from './name-field';
import { characters } from './texts';
import { VOCATIONS } from './vocations';

export function CreateCharacter() {
  const t = useTexts(characters);
  const [name, setName] = useState('');
  const [vocation, setVocation] = useState<(typeof VOCATIONS)[number]>(VOCATIONS[0]);
  const command = useCommand<NewCharacter, CharacterCreated>({
    name: 'character.create',
    send: (body, headers) => accountCreateCharacter({ body, headers }),
    onDone: () => setName(''),
  });
  const { state } = command;
  return (
    <section class="sheet" id="new">
      <h2>{t.create}</h2>
      <CommandForm
        command={command}
        body={() => ({ name, vocation })}
        button={t.createButton}
        done={state.step === 'done' && state.result && t.created(state.result.name)}
      >
        <NameField label={t.name} value={name} onValue={setName} />
        <Select
          label={t.vocation}
          value={vocation}
          choices={VOCATIONS.map((choice) => [choice, choice] as const)}
          onValue={setVocation}
        />
      </CommandForm>
    </section>
  );
}
