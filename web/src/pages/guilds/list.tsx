// The list of guilds.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useHistoryState } from 'wouter-preact/use-browser-location';
import { plural, useLanguage, useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { pageIn } from '../../look/list-page';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { Crest } from '../../look/crest';
import { href } from '../../routes';
import type { GuildSummary } from '../../sdk';
import { guildListOptions } from '../../sdk/@tanstack/preact-query.gen';
import { addressOf, FindGuilds, queryOf, wantedGuilds } from './find-guilds';
import { guilds } from './list-texts';
import { Outcome } from '../../look/outcome';

const GUILDS = 24;

export function GuildListPage() {
  const t = useTexts(guilds);
  const state = useHistoryState<{ deleted?: string } | null>();
  const [search] = useSearchParams();
  const { page, after } = pageIn(search);
  const wanted = wantedGuilds(search);
  const list = useQuery({
    ...guildListOptions({
      path: { page, limit: GUILDS },
      query: { ...queryOf(wanted), ...(after !== undefined && { after }) },
    }),
    placeholderData: keepPreviousData,
  });
  const found = (
    <Link class="button" href={href('newGuild')}>
      <Icon name="crown" />
      {t.found}
    </Link>
  );
  return (
    <Page title={t.title} aside={found}>
      <Outcome message={state?.deleted === undefined ? undefined : t.deleted(state.deleted)} />
      <FindGuilds wanted={wanted} />
      <Loaded query={list}>
        {(data) => (
          <>
            {data.items.length === 0 && (
              <Empty>
                <p role="status">{wanted.search === '' ? t.noGuilds : t.noneFound(wanted.search)}</p>
                {wanted.search === '' ? found : <Link href={href('guilds')}>{t.showAll}</Link>}
              </Empty>
            )}
            <ul class="cards">
              {data.items.map((guild) => (
                <li key={guild.guild_id} class="guild-card-place">
                  <GuildCard guild={guild} />
                </li>
              ))}
            </ul>
            <Pager
              list={data}
              after={after}
              address={(next) => addressOf(wanted, { page: next, after })}
              addressAfter={(place) => addressOf(wanted, { page: 1, after: place })}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function GuildCard({ guild }: { guild: GuildSummary }) {
  const t = useTexts(guilds);
  const { language } = useLanguage();
  return (
    <article class="sheet guild-card">
      <div class="guild-heading">
        <Crest guild={guild} size={56} />
        <div>
          <h2>
            <Link href={href('guild', { name: guild.name })}>{guild.name}</Link>
          </h2>
          <p class="faint">{t.ledBy(guild.leader_name)}</p>
        </div>
      </div>
      <p class="guild-description">{guild.description}</p>
      <p class="faint row guild-members">
        <Icon name="users" size={16} />
        {plural(language, guild.members, t.members)}
      </p>
    </article>
  );
}
