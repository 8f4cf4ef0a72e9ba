// Editors remove a logo that breaks the rules of the site.

import { useState } from 'preact/hooks';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandForm } from '../../look/command';
import { Button, Checkbox, Dialog, TextField } from '../../look/controls';
import { guildModerateLogo } from '../../sdk';
import type { GuildView, LogoToModerate } from '../../sdk';
import { logo as texts } from './logo-texts';

interface ModerateLogoProps {
  guild: GuildView;
  onDone: (message: string) => void;
}

export function ModerateLogo({ guild, onDone }: ModerateLogoProps) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const [block, setBlock] = useState(false);
  const command = useCommand<LogoToModerate>({
    name: `guild.moderate-logo/${guild.guild_id}`,
    send: (body, headers) => guildModerateLogo({ body, headers }),
    onDone: () => {
      setOpen(false);
      onDone(t.moderated);
    },
  });
  return (
    <>
      <Button look="danger" small onClick={() => setOpen(true)}>
        {t.moderate}
      </Button>
      <Dialog title={t.moderate} isOpen={isOpen} onClose={() => setOpen(false)}>
        <CommandForm
          command={command}
          body={() => ({ guild_id: guild.guild_id, logo: guild.logo ?? undefined, reason, block })}
          button={t.remove}
          look="danger"
        >
          <TextField label={t.reason} hint={t.reasonHint} value={reason} onValue={setReason} required maxLength={200} />
          <Checkbox label={t.block} checked={block} onValue={setBlock} />
        </CommandForm>
      </Dialog>
    </>
  );
}
