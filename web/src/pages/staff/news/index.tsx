// The posts, and the editor of one.

import { useParams } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Notice } from '../../../look/controls';
import { Page } from '../../../look/page';
import { idOf } from '../panel/address';
import { NewPostPage, PostPage } from './editor';
import { PostList } from './list';
import { news } from './texts';

export function Section() {
  const t = useTexts(news);
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <PostList />;
  if (id === 'new') return <NewPostPage />;
  const postId = idOf(id);
  if (postId !== undefined) return <PostPage key={postId} id={postId} />;
  return (
    <Page title={t.title}>
      <Notice look="bad">{t.noPost}</Notice>
    </Page>
  );
}
