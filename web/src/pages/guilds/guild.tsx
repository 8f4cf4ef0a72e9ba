// The page of a guild: everybody sees its texts and members, and members see what they may do.

import { useQuery } from '@tanstack/preact-query';
import { useState } from 'preact/hooks';
import { Link, useParams } from 'wouter-preact';
import { useHistoryState } from 'wouter-preact/use-browser-location';
import { hasRole, useAccount } from '../../api/account';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { plural, useLanguage, useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Crest } from '../../look/crest';
import { Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Time } from '../../look/values';
import { href } from '../../routes';
import type { GuildView } from '../../sdk';
import { guildViewOptions } from '../../sdk/@tanstack/preact-query.gen';
import { AnswerInvite } from './answer-invite';
import { guild as texts } from './guild-texts';
import { ChangeLogo } from './logo';
import { Members } from './members';
import { Membership } from './membership';
import { ModerateLogo } from './moderate-logo';
import { Outcome } from '../../look/outcome';
import { ownMembers } from './rank';
import { Recruiting } from './recruiting';
import { Description, Motd } from './texts-of-guild';

export function GuildPage() {
  const t = useTexts(texts);
  const { name } = useParams<{ name: string }>();
  const session = useSession();
  const guild = useQuery({
    ...guildViewOptions({ path: { name } }),
    // The response to a member has the actions of the own characters, so the request waits for the session.
    enabled: session.state !== 'unknown',
  });
  const status = problemOf(guild.error)?.status;
  // A name that no guild may have is refused with 400.
  if (status === 404 || status === 400) {
    return (
      <Page title={t.noGuild}>
        <Empty>
          <p>{t.noGuildText}</p>
          <Link class="button" href={href('guilds')}>
            {t.allGuilds}
          </Link>
        </Empty>
      </Page>
    );
  }
  return (
    <Page
      title={guild.data?.name ?? name}
      before={<Crest guild={guild.data ?? { name }} size={96} />}
      below={guild.data ? <Facts guild={guild.data} /> : <p class="faint">…</p>}
    >
      <Loaded query={guild}>{(data) => <Guild key={data.guild_id} guild={data} />}</Loaded>
    </Page>
  );
}

function Facts({ guild }: { guild: GuildView }) {
  const t = useTexts(texts);
  const { language } = useLanguage();
  const online = guild.members.filter((member) => member.online).length;
  return (
    <p class="row faint">
      <span>{plural(language, guild.members.length, t.members)}</span>
      {online > 0 && <span>{plural(language, online, { one: t.onlineCount, other: t.onlineCount })}</span>}
      <span>
        {t.founded} <Time at={guild.created_at} date />
      </span>
    </p>
  );
}

function Guild({ guild }: { guild: GuildView }) {
  const t = useTexts(texts);
  const isNew = useHistoryState<{ isNew?: boolean } | null>()?.isNew === true;
  const [message, setMessage] = useState<string>();
  const [chosen, setChosen] = useState<number>();
  const own = guild.own_characters ?? [];
  const members = ownMembers(own);
  const actor = members.find((each) => each.character_id === chosen) ?? members[0];
  const may = actor?.may ?? [];
  const isEditor = hasRole(useAccount(), 'editor');
  return (
    <>
      {isNew && <Notice look="good">{t.new}</Notice>}
      <Outcome message={message} />
      {own
        .filter((each) => each.may.includes('accept_invite'))
        .map((each) => (
          <section key={each.character_id} class="sheet">
            <p>{t.invited(each.name)}</p>
            <AnswerInvite guild={guild} character={each} onDone={setMessage} />
          </section>
        ))}
      {(may.includes('change_logo') || (isEditor && guild.logo !== undefined)) && (
        <div class="row">
          {may.includes('change_logo') && <ChangeLogo guild={guild} onDone={setMessage} />}
          {isEditor && guild.logo !== undefined && <ModerateLogo guild={guild} onDone={setMessage} />}
        </div>
      )}
      <Motd guild={guild} mayEdit={may.includes('change_motd')} />
      <div class="guild-columns">
        <Description guild={guild} mayEdit={may.includes('change_description')} />
        <div class="stack main-column">
          <Members guild={guild} actor={actor} />
          {may.includes('invite') && <Recruiting guild={guild} mayCancel={may.includes('cancel_invite')} />}
        </div>
        {actor && <Membership guild={guild} actor={actor} own={members} onChoose={setChosen} onLeft={setMessage} />}
      </div>
    </>
  );
}
