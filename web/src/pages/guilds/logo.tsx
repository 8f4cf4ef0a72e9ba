// The logo of a guild: members with the right change or remove it.

import { useEffect, useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm, CommandNotice } from '../../look/command';
import { Button, Dialog, Field } from '../../look/controls';
import { Crest } from '../../look/crest';
import { guildChangeLogo, guildRemoveLogo } from '../../sdk';
import type { GuildView, LogoToRemove, NewLogo } from '../../sdk';
import { logo as texts } from './logo-texts';
import { squareOf, type Picture } from './picture';

interface LogoProps {
  guild: GuildView;
  onDone: (message: string) => void;
}

export function ChangeLogo({ guild, onDone }: LogoProps) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" small onClick={() => setOpen(true)}>
        {t.change}
      </Button>
      <Dialog title={t.change} isOpen={isOpen} onClose={() => setOpen(false)}>
        <LogoForm
          guild={guild}
          onDone={(message) => {
            setOpen(false);
            onDone(message);
          }}
        />
      </Dialog>
    </>
  );
}

function LogoForm({ guild, onDone }: LogoProps) {
  const t = useTexts(texts);
  const [picture, setPicture] = useState<Picture>();
  const [error, setError] = useState<string>();
  useEffect(() => () => picture && URL.revokeObjectURL(picture.address), [picture]);
  const change = useCommand<NewLogo>({
    name: `guild.logo/${guild.guild_id}`,
    send: (body, headers) => guildChangeLogo({ body, headers }),
    // A picture may be too large for the storage of the browser, so it is not sent again after a reload.
    isSecret: true,
    onDone: () => onDone(t.changed),
  });
  const choose = async (file: File | undefined): Promise<void> => {
    change.reset();
    const square = file && (await squareOf(file));
    setPicture(square);
    setError(file && !square ? t.unreadable : undefined);
  };
  const body = (): NewLogo | undefined => {
    if (!picture) setError(t.none);
    return picture && { guild_id: guild.guild_id, image: picture.image };
  };
  return (
    <>
      <CommandForm command={change} body={body} button={t.save} icon="check">
        <div class="logo-preview">
          {picture ? (
            <img class="crest" src={picture.address} width={128} height={128} alt={t.preview} />
          ) : (
            <Crest guild={guild} size={128} />
          )}
        </div>
        <Field label={t.file} hint={t.fileHint} error={error}>
          {(input) => (
            <input
              {...input}
              class="input"
              type="file"
              accept="image/png,image/jpeg,image/webp"
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          )}
        </Field>
      </CommandForm>
      {guild.logo !== undefined && <RemoveLogo guild={guild} onDone={onDone} />}
    </>
  );
}

function RemoveLogo({ guild, onDone }: LogoProps) {
  const t = useTexts(texts);
  const command = useCommand<LogoToRemove>({
    name: `guild.remove-logo/${guild.guild_id}`,
    send: (body, headers) => guildRemoveLogo({ body, headers }),
    onDone: () => onDone(t.removed),
  });
  return (
    <div class="stack">
      <p class="faint">{t.removeText}</p>
      <div>
        <Button look="danger" isBusy={command.isBusy} onClick={() => command.send({ guild_id: guild.guild_id })}>
          {t.remove}
        </Button>
      </div>
      <CommandNotice command={command} />
    </div>
  );
}
