// The states of a post.

import { useTexts } from '../../../language/language';
import { Tag } from '../panel/table';
import { news } from './texts';

interface PostStates {
  pinned: boolean;
  hidden: boolean;
  published_at: string;
}

export function PostTags({ post }: { post: PostStates }) {
  const t = useTexts(news);
  const isScheduled = Date.parse(post.published_at) > Date.now();
  return (
    <span class="tags">
      {post.hidden && <Tag look="warning">{t.hidden}</Tag>}
      {isScheduled && <Tag look="warning">{t.scheduled}</Tag>}
      {!post.hidden && !isScheduled && <Tag look="good">{t.published}</Tag>}
      {post.pinned && <Tag>{t.pinned}</Tag>}
    </span>
  );
}
