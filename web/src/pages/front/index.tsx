// The front page: the news, and a look at the guilds and the shop.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { Shield } from '../../look/shield';
import { Coins, Count, Time } from '../../look/values';
import { href } from '../../routes';
import type { PostSummary } from '../../sdk';
import { guildListOptions, newsListOptions, shopOnSaleOptions } from '../../sdk/@tanstack/preact-query.gen';
import { SITE_NAME } from '../../site-name';
import { front } from './texts';

const POSTS = 10;

export function FrontPage() {
  const t = useTexts(front);
  const [search] = useSearchParams();
  const page = Number(search.get('page') ?? 1) || 1;
  const posts = useQuery({
    ...newsListOptions({ path: { page, limit: POSTS } }),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t.title(SITE_NAME)}>
      <div class="columns">
        <div class="stack">
          <Loaded query={posts}>
            {(list) => (
              <>
                {list.items.length === 0 && <Empty>{t.noPosts}</Empty>}
                {list.items.map((post) => (
                  <PostCard key={post.post_id} post={post} />
                ))}
                <Pager page={list.page} pages={list.pages} address={(number) => `/?page=${number}`} />
              </>
            )}
          </Loaded>
        </div>
        <aside class="stack">
          <Guilds />
          <Offers />
        </aside>
      </div>
    </Page>
  );
}

function PostCard({ post }: { post: PostSummary }) {
  const t = useTexts(front);
  return (
    <article class="sheet">
      <h2>
        <Link href={href('post', { id: post.post_id })}>{post.title}</Link>
      </h2>
      <p class="row faint">
        {post.pinned && (
          <span class="row">
            <Icon name="pin" size={16} /> {t.pinned}
          </span>
        )}
        <Time at={post.published_at} date />
        <span>{post.author}</span>
      </p>
      <p>{post.summary}</p>
    </article>
  );
}

function Guilds() {
  const t = useTexts(front);
  const guilds = useQuery(guildListOptions({ path: { page: 1, limit: 5 } }));
  return (
    <section class="sheet">
      <h2>{t.guilds}</h2>
      <Loaded query={guilds}>
        {(list) => (
          <ul class="stack plain-list">
            {list.items.map((guild) => (
              <li key={guild.guild_id} class="row">
                <Shield name={guild.name} size={28} />
                <Link href={href('guild', { name: guild.name })}>{guild.name}</Link>
                <span class="faint end">
                  <Icon name="users" size={16} /> <Count value={guild.members} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Link href={href('guilds')}>{t.allGuilds}</Link>
    </section>
  );
}

function Offers() {
  const t = useTexts(front);
  const offers = useQuery(shopOnSaleOptions({ query: { limit: 5 } }));
  return (
    <section class="sheet">
      <h2>{t.shop}</h2>
      <Loaded query={offers}>
        {(list) => (
          <ul class="stack plain-list">
            {list.items.map((offer) => (
              <li key={offer.offer_id} class="row">
                <span>{offer.name}</span>
                <span class="faint end">
                  <Coins count={offer.price} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <Link href={href('shop')}>{t.toShop}</Link>
    </section>
  );
}
