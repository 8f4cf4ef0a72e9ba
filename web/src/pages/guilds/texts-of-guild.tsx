// The message of the day and the description of a guild.

import { queries } from '../../api/queries';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { guildChangeDescription, guildChangeMotd } from '../../sdk';
import type { GuildChanged, GuildView, NewDescription, NewMotd } from '../../sdk';
import { EditableText } from './editable-text';
import { guild as texts } from './guild-texts';

interface Props {
  guild: GuildView;
  mayEdit: boolean;
}

/** Shows the new texts before the guild is loaded again. Otherwise the old text would be visible for a moment. */
function showTexts(changed: GuildChanged | undefined): void {
  if (!changed) return;
  queries.setQueriesData<GuildView>({ queryKey: [{ _id: 'guildView' }] }, (guild) =>
    guild?.guild_id === changed.guild_id ? { ...guild, motd: changed.motd, description: changed.description } : guild,
  );
}

export function Motd({ guild, mayEdit }: Props) {
  const t = useTexts(texts);
  const command = useCommand<NewMotd, GuildChanged>({
    name: `guild.motd/${guild.guild_id}`,
    send: (body, headers) => guildChangeMotd({ body, headers }),
    onDone: showTexts,
  });
  return (
    <EditableText
      title={t.motd}
      text={guild.motd}
      empty={t.noMotd}
      look="motd"
      limit={255}
      isOneLine
      mayEdit={mayEdit}
      command={command}
      body={(motd) => ({ guild_id: guild.guild_id, motd })}
    />
  );
}

export function Description({ guild, mayEdit }: Props) {
  const t = useTexts(texts);
  const command = useCommand<NewDescription, GuildChanged>({
    name: `guild.description/${guild.guild_id}`,
    send: (body, headers) => guildChangeDescription({ body, headers }),
    onDone: showTexts,
  });
  return (
    <EditableText
      title={t.description}
      text={guild.description}
      empty={t.noDescription}
      look="guild-about"
      limit={2000}
      mayEdit={mayEdit}
      command={command}
      body={(description) => ({ guild_id: guild.guild_id, description })}
    />
  );
}
