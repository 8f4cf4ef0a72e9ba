// The front page: the news, and a look at the guilds and the shop. A guest's browser sends three requests for it.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link, useSearchParams } from 'wouter-preact';
import { API } from '../../api/client';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Page } from '../../look/page';
import { Empty, Loaded, Pager } from '../../look/query';
import { href } from '../../routes';
import { newsListOptions } from '../../sdk/@tanstack/preact-query.gen';
import { SITE_NAME } from '../../site-name';
import './front.css';
import { SomeGuilds } from './guilds';
import { SomeOffers } from './offers';
import { PostCard } from './post-card';
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
  const feed = (
    <a class="feed-link" href={`${API}/news/feed.atom`}>
      <Icon name="feed" size={16} />
      {t.feed}
    </a>
  );
  return (
    <Page title={t.title(SITE_NAME)} aside={feed}>
      <div class="columns">
        <div class="stack">
          <Loaded query={posts}>
            {(list) => (
              <>
                {list.items.length === 0 && (
                  <Empty>
                    <p>{t.noPosts}</p>
                  </Empty>
                )}
                {list.items.map((post) => (
                  <PostCard key={post.post_id} post={post} />
                ))}
                <Pager list={list} address={(number) => `/?page=${number}`} />
              </>
            )}
          </Loaded>
        </div>
        <aside class="stack">
          <Join />
          <SomeGuilds />
          <SomeOffers />
        </aside>
      </div>
    </Page>
  );
}

/** What a guest can do here. */
function Join() {
  const t = useTexts(front);
  const session = useSession();
  if (session.state !== 'guest') return null;
  return (
    <section class="sheet">
      <h2>{t.join}</h2>
      <p>{t.joinText}</p>
      <div>
        <Link class="button" href={href('register')}>
          {t.register}
        </Link>
      </div>
    </section>
  );
}
