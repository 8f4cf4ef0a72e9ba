// The dialog that renames a character.

import { useState } from 'preact/hooks';
import { useAccount } from '../../api/account';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { Dialog } from '../../look/controls';
import { Coins } from '../../look/values';
import { accountRenameCharacter } from '../../sdk';
import type { Character, CharacterRenamed, NewCharacterName } from '../../sdk';
import { NameField } from './name-field';
import { characters } from './texts';

interface RenameDialogProps {
  character: Character;
  isOpen: boolean;
  onClose: () => void;
  onRenamed: (result: CharacterRenamed | undefined) => void;
}

export function RenameDialog({ character, isOpen, onClose, onRenamed }: RenameDialogProps) {
  const t = useTexts(characters);
  const account = useAccount();
  const [name, setName] = useState('');
  const command = useCommand<NewCharacterName, CharacterRenamed>({
    name: `character.rename/${character.character_id}`,
    send: (body, headers) => accountRenameCharacter({ body, headers }),
    onDone: (result) => {
      setName('');
      onRenamed(result);
      onClose();
    },
  });
  return (
    <Dialog title={t.renameOne(character.name)} isOpen={isOpen} onClose={onClose}>
      <CommandForm
        command={command}
        body={() => ({ character_id: character.character_id, new_name: name })}
        button={t.rename}
      >
        <NameField label={t.newName} value={name} onValue={setName} autofocus />
        <p class="faint">
          {t.renameCost}{' '}
          {account && (
            <>
              {t.balance} <Coins count={account.coins} />.
            </>
          )}
        </p>
      </CommandForm>
    </Dialog>
  );
}
