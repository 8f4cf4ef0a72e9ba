// One post.

import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { hasRole, useAccount } from '../../api/account';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { useTexts } from '../../language/language';
import { Notice } from '../../look/controls';
import { Icon } from '../../look/icon';
import { Page } from '../../look/page';
import { Empty, Loaded } from '../../look/query';
import { Time } from '../../look/values';
import { href } from '../../routes';
import type { Post } from '../../sdk';
import { newsFindOptions, newsListOptions } from '../../sdk/@tanstack/preact-query.gen';
import { Prose } from './prose';
import { news } from './texts';

export function PostPage() {
  const t = useTexts(news);
  const { id } = useParams<{ id: string }>();
  const session = useSession();
  const isNumber = /^\d{1,15}$/.test(id);
  const post = useQuery({
    ...newsFindOptions({ path: { id: Number(id) } }),
    // The response to an editor has hidden posts, so the request waits for the session.
    enabled: isNumber && session.state !== 'unknown',
  });
  if (!isNumber || problemOf(post.error)?.status === 404) {
    return (
      <Page title={t.noPost}>
        <Empty>
          <p>{t.noPostText}</p>
          <AllNews />
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={post.data?.title ?? t.loading}>
      <div class="columns">
        <Loaded query={post}>{(data) => <Article post={data} />}</Loaded>
        {post.data && <OtherPosts except={post.data.post_id} />}
      </div>
    </Page>
  );
}

function AllNews() {
  const t = useTexts(news);
  return (
    <Link class="button quiet" href={href('front')}>
      {t.allNews}
    </Link>
  );
}

/** The newest other posts. They are read after the post, which is complete without them. */
function OtherPosts({ except }: { except: number }) {
  const t = useTexts(news);
  const posts = useQuery(newsListOptions({ path: { page: 1, limit: 6 } }));
  const others = posts.data?.items.filter((post) => post.post_id !== except).slice(0, 5) ?? [];
  return (
    <aside class="sheet" aria-labelledby="other-posts">
      <h2 id="other-posts">{t.otherNews}</h2>
      <ul class="stack plain-list">
        {others.map((post) => (
          <li key={post.post_id}>
            <Link href={href('post', { id: post.post_id })}>{post.title}</Link>
            <p class="faint">
              <Time at={post.published_at} date />
            </p>
          </li>
        ))}
      </ul>
      <p>
        <AllNews />
      </p>
    </aside>
  );
}

function Article({ post }: { post: Post }) {
  const t = useTexts(news);
  const isEditor = hasRole(useAccount(), 'editor');
  const isScheduled = Date.parse(post.published_at) > Date.now();
  // The clock of a browser is not exact, so a difference of a minute is no update.
  const isUpdated = Date.parse(post.updated_at) - Date.parse(post.published_at) > 60_000;
  return (
    <article class="sheet post">
      <div class="row spread">
        <p class="row faint">
          {post.pinned && (
            <span class="row">
              <Icon name="pin" size={16} /> {t.pinned}
            </span>
          )}
          <Time at={post.published_at} />
          <span>{t.by(post.author)}</span>
          {isUpdated && (
            <span>
              {t.updated} <Time at={post.updated_at} />
            </span>
          )}
        </p>
        {isEditor && (
          <Link class="button quiet small" href={href('staffItem', { page: 'news', id: post.post_id })}>
            {t.edit}
          </Link>
        )}
      </div>
      {post.hidden && (
        <Notice look="warning">
          <strong>{t.hidden}</strong> {t.hiddenHint}
        </Notice>
      )}
      {isScheduled && (
        <Notice look="warning">
          <strong>{t.scheduled}</strong> {t.scheduledHint}
        </Notice>
      )}
      <Prose html={post.body_html} />
    </article>
  );
}
