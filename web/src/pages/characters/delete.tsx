// Deletes a character after days of grace, or keeps it.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Button, Dialog } from '../../look/controls';
import { accountCancelCharacterDeletion, accountDeleteCharacter } from '../../sdk';
import type { Character, CharacterToDelete } from '../../sdk';
import { characters } from './texts';

interface Props {
  character: Character;
  onDone: (message: string) => void;
}

export function DeleteCharacter({ character, onDone }: Props) {
  const t = useTexts(characters);
  const [isOpen, setOpen] = useState(false);
  const command = useCommand<CharacterToDelete>({
    name: `character.delete/${character.character_id}`,
    send: (body, headers) => accountDeleteCharacter({ body, headers }),
    onDone: () => {
      setOpen(false);
      onDone(t.deleteRequested(character.name));
    },
  });
  return (
    <>
      <Button look="danger" small aria-label={t.deleteOne(character.name)} onClick={() => setOpen(true)}>
        {t.delete}
      </Button>
      <Dialog title={t.deleteOne(character.name)} isOpen={isOpen} onClose={() => setOpen(false)}>
        <p>{t.deleteText}</p>
        <p>{t.deleteLoses}</p>
        <CommandForm
          command={command}
          body={() => ({ character_id: character.character_id })}
          button={t.deleteConfirm}
          look="danger"
          icon="trash"
        />
      </Dialog>
    </>
  );
}

export function KeepCharacter({ character, onDone }: Props) {
  const t = useTexts(characters);
  const command = useCommand<CharacterToDelete>({
    name: `character.keep/${character.character_id}`,
    send: (body, headers) => accountCancelCharacterDeletion({ body, headers }),
    onDone: () => onDone(t.kept(character.name)),
  });
  return (
    <>
      <Button
        small
        isBusy={command.isBusy}
        aria-label={t.undoOne(character.name)}
        onClick={() => command.send({ character_id: character.character_id })}
      >
        {t.undo}
      </Button>
      <CommandNotice command={command} />
    </>
  );
}
