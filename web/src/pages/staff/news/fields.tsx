// The fields of a post, for two versions side by side.

import { useTexts } from '../../../language/language';
import { Time } from '../../../look/values';
import type { ConflictField } from '../versions/conflict';
import { news } from './texts';
import type { PostValues } from './values';

export function usePostFields(): ConflictField<PostValues>[] {
  const t = useTexts(news);
  return [
    { name: 'title', label: t.postTitle, show: (post) => post.title },
    { name: 'summary', label: t.summary, show: (post) => post.summary },
    { name: 'body', label: t.body, isText: true, show: (post) => post.body },
    { name: 'pinned', label: t.pinned, show: (post) => (post.pinned ? t.yes : t.no) },
    { name: 'hidden', label: t.hidden, show: (post) => (post.hidden ? t.yes : t.no) },
    { name: 'published_at', label: t.publication, show: (post) => <Time at={post.published_at} /> },
  ];
}
