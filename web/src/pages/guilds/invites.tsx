// The invites of the reader's characters.

import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Members, Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { Shield } from '../../look/shield';
import { Time } from '../../look/values';
import { href } from '../../routes';
import type { GuildInvite } from '../../sdk';
import { AnswerInvite } from './answer-invite';
import { useInvites } from './invite-query';
import { guilds } from './list-texts';
import { Outcome } from '../../look/outcome';

export function InvitesPage() {
  const t = useTexts(guilds);
  return (
    <Page title={t.invitesTitle}>
      <Members>
        <Invites />
      </Members>
    </Page>
  );
}

function Invites() {
  const t = useTexts(guilds);
  const session = useSession();
  const [search] = useSearchParams();
  const [message, setMessage] = useState<string>();
  const invites = useInvites({}, Number(search.get('page') ?? 1) || 1, session.state === 'member');
  return (
    <>
      <Outcome message={message} />
      <Loaded query={invites}>
        {(list) => (
          <>
            {list.items.length === 0 && (
              <Empty>
                <p>{t.noInvites}</p>
                <Link class="button" href={href('guilds')}>
                  {t.toGuilds}
                </Link>
              </Empty>
            )}
            <ul class="cards">
              {list.items.map((invite) => (
                <li key={`${invite.guild_id}/${invite.character_id}`}>
                  <InviteCard invite={invite} onDone={setMessage} />
                </li>
              ))}
            </ul>
            <Pager list={list} address={(page) => `${href('invites')}?page=${page}`} />
          </>
        )}
      </Loaded>
    </>
  );
}

function InviteCard({ invite, onDone }: { invite: GuildInvite; onDone: (message: string) => void }) {
  const t = useTexts(guilds);
  return (
    <article class="sheet">
      <div class="guild-heading">
        <Shield name={invite.guild_name} size={44} />
        <h2>
          <Link href={href('guild', { name: invite.guild_name })}>{invite.guild_name}</Link>
        </h2>
      </div>
      <p>{t.invitedAs(invite.character_name, invite.invited_by)}</p>
      <p class="faint">
        {t.until} <Time at={invite.expires_at} />
      </p>
      <AnswerInvite
        guild={{ guild_id: invite.guild_id, name: invite.guild_name }}
        character={{ character_id: invite.character_id, name: invite.character_name }}
        onDone={onDone}
      />
    </article>
  );
}
