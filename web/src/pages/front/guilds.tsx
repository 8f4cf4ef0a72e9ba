import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { plural, useLanguage, useTexts } from '../../language/language';
import { Crest } from '../../look/crest';
import { Loaded } from '../../look/query';
import { href } from '../../routes';
import { guildListOptions } from '../../sdk/@tanstack/preact-query.gen';
import { front } from './texts';

export function SomeGuilds() {
  const t = useTexts(front);
  const { language } = useLanguage();
  const guilds = useQuery(guildListOptions({ path: { page: 1, limit: 5 } }));
  return (
    <section class="sheet">
      <h2>{t.guilds}</h2>
      <Loaded query={guilds}>
        {(list) => (
          <>
            {list.items.length === 0 && <p class="faint">{t.noGuilds}</p>}
            <ul class="front-list">
              {list.items.map((guild) => (
                <li key={guild.guild_id}>
                  <Crest guild={guild} size={28} />
                  <div>
                    <Link href={href('guild', { name: guild.name })}>{guild.name}</Link>
                    <p class="faint">{plural(language, guild.members, t.members)}</p>
                  </div>
                </li>
              ))}
            </ul>
          </>
        )}
      </Loaded>
      <p class="row">
        <Link href={href('guilds')}>{t.allGuilds}</Link>
        <Link href={href('newGuild')}>{t.found}</Link>
      </p>
    </section>
  );
}
