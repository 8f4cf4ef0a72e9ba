// Invites of a guild: the search for characters, and the invites that are open.

import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useCommand } from '../../api/command';
import { useTexts } from '../../language/language';
import { CommandNotice } from '../../look/command';
import { Button } from '../../look/controls';
import { Loaded, Pager } from '../../look/query';
import { Time } from '../../look/values';
import { href } from '../../routes';
import { guildCancelInvite } from '../../sdk';
import type { GuildCharacter, GuildInvite, GuildView } from '../../sdk';
import { FreeCharacters } from './free-characters';
import { guild as texts } from './guild-texts';
import { useInvites } from './invite-query';
import { Outcome } from '../../look/outcome';

export function Recruiting({ guild, mayCancel }: { guild: GuildView; mayCancel: boolean }) {
  const t = useTexts(texts);
  const [search] = useSearchParams();
  const [message, setMessage] = useState<string>();
  const invites = useInvites({ guild_id: guild.guild_id }, Number(search.get('invites') ?? 1) || 1, true);
  const invited = new Set(invites.data?.items.map((invite) => invite.character_id));
  return (
    <section class="sheet">
      <h2>{t.inviteTitle}</h2>
      <FreeCharacters guild={guild} invited={invited} />
      <h3>{t.openInvites}</h3>
      <Outcome message={message} />
      <Loaded query={invites}>
        {(list) => (
          <>
            {list.items.length === 0 && <p class="faint">{t.noOpenInvites}</p>}
            <ul class="lines">
              {list.items.map((invite) => (
                <OpenInvite key={invite.character_id} invite={invite} mayCancel={mayCancel} onDone={setMessage} />
              ))}
            </ul>
            <Pager list={list} address={(page) => `${href('guild', { name: guild.name })}?invites=${page}`} />
          </>
        )}
      </Loaded>
    </section>
  );
}

interface OpenInviteProps {
  invite: GuildInvite;
  mayCancel: boolean;
  onDone: (message: string) => void;
}

function OpenInvite({ invite, mayCancel, onDone }: OpenInviteProps) {
  const t = useTexts(texts);
  const { guild_id, character_id } = invite;
  const command = useCommand<GuildCharacter>({
    name: `guild.cancel-invite/${guild_id}/${character_id}`,
    send: (body, headers) => guildCancelInvite({ body, headers }),
    onDone: () => onDone(t.takenBack(invite.character_name)),
  });
  return (
    <li>
      <div class="row spread">
        <span>
          <strong>{invite.character_name}</strong>{' '}
          <span class="faint">
            {t.invitedBy(invite.invited_by)} · {t.until} <Time at={invite.expires_at} date />
          </span>
        </span>
        {mayCancel && (
          <Button
            look="quiet"
            small
            isBusy={command.isBusy}
            aria-label={t.takeBackOne(invite.character_name)}
            onClick={() => command.send({ guild_id, character_id })}
          >
            {t.takeBack}
          </Button>
        )}
      </div>
      <CommandNotice command={command} />
    </li>
  );
}
