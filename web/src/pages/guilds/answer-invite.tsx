// Accepts or declines an invite.

import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button } from '../../look/controls';
import { guildAcceptInvite, guildDeclineInvite } from '../../sdk';
import type { GuildCharacter } from '../../sdk';
import { guilds } from './list-texts';

interface AnswerInviteProps {
  guild: { guild_id: number; name: string };
  character: { character_id: number; name: string };
  onDone: (message: string) => void;
}

export function AnswerInvite({ guild, character, onDone }: AnswerInviteProps) {
  const t = useTexts(guilds);
  const target = `${guild.guild_id}/${character.character_id}`;
  const body = { guild_id: guild.guild_id, character_id: character.character_id };
  const accept = useCommand<GuildCharacter>({
    name: `guild.accept/${target}`,
    send: (sent, headers) => guildAcceptInvite({ body: sent, headers }),
    onDone: () => onDone(t.joined(character.name, guild.name)),
  });
  const decline = useCommand<GuildCharacter>({
    name: `guild.decline/${target}`,
    send: (sent, headers) => guildDeclineInvite({ body: sent, headers }),
    onDone: () => onDone(t.declined(character.name, guild.name)),
  });
  const isBusy = accept.isBusy || decline.isBusy;
  return (
    <div class="stack">
      <div class="row">
        <Button
          small
          icon="check"
          isBusy={isBusy}
          aria-label={t.acceptFor(guild.name, character.name)}
          onClick={() => {
            decline.reset();
            accept.send(body);
          }}
        >
          {t.accept}
        </Button>
        <Button
          small
          look="quiet"
          isBusy={isBusy}
          aria-label={t.declineFor(guild.name, character.name)}
          onClick={() => {
            accept.reset();
            decline.send(body);
          }}
        >
          {t.decline}
        </Button>
      </div>
      <CommandNotice command={accept} />
      <CommandNotice command={decline} />
    </div>
  );
}
