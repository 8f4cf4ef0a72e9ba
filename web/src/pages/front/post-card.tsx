import { Link } from 'wouter-preact';
import { useTexts } from '../../language/language';
import { Icon } from '../../look/icon';
import { Time } from '../../look/values';
import { href } from '../../routes';
import type { PostSummary } from '../../sdk';
import { front } from './texts';

export function PostCard({ post }: { post: PostSummary }) {
  const t = useTexts(front);
  // The summary of a post without one is the beginning of its text, which may be its title.
  const hasSummary = post.summary !== '' && post.summary !== post.title;
  return (
    <article class={`sheet post-card ${post.pinned ? 'pinned' : ''}`}>
      <h2>
        <Link href={href('post', { id: post.post_id })}>{post.title}</Link>
      </h2>
      {hasSummary && <p>{post.summary}</p>}
      <p class="row faint">
        {post.pinned && (
          <span class="pinned-mark">
            <Icon name="pin" size={16} />
            {t.pinned}
          </span>
        )}
        <Time at={post.published_at} date />
        <span>{t.by(post.author)}</span>
      </p>
    </article>
  );
}
