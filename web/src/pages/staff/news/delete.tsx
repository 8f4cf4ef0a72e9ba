// Deletes a post.

import { useTexts } from '../../../language/language';
import { useNavigateFromHere } from '../../../look/navigation';
import { href } from '../../../routes';
import { newsDestroy, type Post } from '../../../sdk';
import { Action } from '../panel/action';
import { news } from './texts';

export function DeletePost({ post, onDone }: { post: Post; onDone: () => void }) {
  const t = useTexts(news);
  const navigate = useNavigateFromHere();
  return (
    <Action<object>
      name={`news.destroy/${post.post_id}`}
      send={(_, headers) => newsDestroy({ path: { id: post.post_id }, headers })}
      label={t.delete}
      icon="trash"
      look="danger"
      title={t.deleteTitle(post.title)}
      text={t.deleteText}
      confirm={t.delete}
      body={() => ({})}
      onDone={() => {
        onDone();
        navigate(href('staffPage', { page: 'news' }));
      }}
      done={() => t.deleted(post.title)}
      audit={{ action: 'news.destroy' }}
    />
  );
}
