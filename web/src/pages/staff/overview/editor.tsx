// The news at a glance.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Loaded } from '../../../look/query';
import { Time } from '../../../look/values';
import { href } from '../../../routes';
import { newsListDashboardOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { PostTags } from '../news/tags';
import { overview } from './texts';

export function EditorPart() {
  const t = useTexts(overview);
  const posts = useQuery(newsListDashboardOptions({ path: { page: 1, limit: 5 } }));
  return (
    <section class="sheet" aria-labelledby="overview-news">
      <div class="row spread">
        <h2 id="overview-news">{t.news}</h2>
        <Link class="button small" href={href('staffItem', { page: 'news', id: 'new' })}>
          {t.write}
        </Link>
      </div>
      <Loaded query={posts}>
        {({ items }) => (
          <ul class="lines">
            {items.map((post) => (
              <li key={post.post_id}>
                <Link href={href('staffItem', { page: 'news', id: post.post_id })}>{post.title}</Link>
                <PostTags post={post} />
                <span class="faint end">
                  <Time at={post.published_at} date />
                </span>
              </li>
            ))}
            {items.length === 0 && <li class="faint">{t.noNews}</li>}
          </ul>
        )}
      </Loaded>
      <p>
        <Link href={href('staffPage', { page: 'news' })}>{t.allNews}</Link>
      </p>
    </section>
  );
}
