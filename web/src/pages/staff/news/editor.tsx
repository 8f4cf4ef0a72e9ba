// The pages that write a post.

import { useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useCommand } from '../../../api/command';
import { useTexts } from '../../../language/language';
import { useNavigateFromHere } from '../../../look/navigation';
import { Page } from '../../../look/page';
import { Loaded } from '../../../look/query';
import { href } from '../../../routes';
import { newsCreate, newsEdit, type NewPost, type Post, type PostEdit, type PostSaved } from '../../../sdk';
import { newsFindOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { report } from '../panel/report';
import { Conflict } from '../versions/conflict';
import { changedValues, useDraft } from '../versions/draft';
import { useReloadOfChanges } from '../versions/reload';
import { Restored } from '../versions/restored';
import { DeletePost } from './delete';
import { usePostFields } from './fields';
import { PostForm } from './form';
import { PostTags } from './tags';
import { news } from './texts';
import { NEW_POST, valuesOf, type PostValues } from './values';

function AllPosts() {
  const t = useTexts(news);
  return <Link href={href('staffPage', { page: 'news' })}>{t.all}</Link>;
}

export function NewPostPage() {
  const t = useTexts(news);
  const navigate = useNavigateFromHere();
  const draft = useDraft<PostValues>('news/new', NEW_POST, 0);
  const command = useCommand<NewPost, PostSaved>({
    name: 'news.create/new',
    send: (body, headers) => newsCreate({ body, headers }),
    onDone: (result, sent) => {
      const page = { page: 'news' };
      const address = result ? href('staffItem', { ...page, id: result.post_id }) : href('staffPage', page);
      if (draft.created(body(), sent)) navigate(address);
      report(savedText(t, sent.hidden === true, result?.published_at), { action: 'news.create' });
    },
  });
  const body = (): NewPost => {
    const { title, summary, body: text, pinned, hidden, published_at } = draft.draft.values;
    return {
      title: title.trim(),
      ...(summary !== '' && { summary }),
      body: text,
      pinned,
      hidden,
      ...(published_at !== '' && { published_at }),
    };
  };
  return (
    <Page title={t.newPost} aside={<AllPosts />}>
      <Restored draft={draft} />
      <PostForm draft={draft} command={command} body={body} />
    </Page>
  );
}

export function PostPage({ id }: { id: number }) {
  const t = useTexts(news);
  const post = useQuery(newsFindOptions({ path: { id } }));
  return (
    <Page title={post.data?.title ?? t.title} below={post.data && <PostTags post={post.data} />} aside={<AllPosts />}>
      <Loaded query={post}>{(data) => <Editor post={data} />}</Loaded>
    </Page>
  );
}

function Editor({ post }: { post: Post }) {
  const t = useTexts(news);
  const stored = valuesOf(post);
  const draft = useDraft<PostValues>(`news/${post.post_id}`, stored, post.version);
  const fields = usePostFields();
  const command = useCommand<PostEdit, PostSaved>({
    name: `news.edit/${post.post_id}`,
    send: (body, headers) => newsEdit({ body, headers }),
    onDone: (result, body) => {
      draft.saved(body, result?.version ?? (body.expected_version ?? 0) + 1);
      report(savedText(t, body.hidden ?? draft.draft.base.hidden, result?.published_at), { action: 'news.edit' });
    },
  });
  useReloadOfChanges(command);
  const isConflict = draft.isChanged && post.version > draft.draft.version;
  const body = (): PostEdit => ({
    post_id: post.post_id,
    expected_version: draft.draft.version,
    ...changedValues(draft.draft),
  });
  return (
    <>
      <Restored draft={draft} />
      {isConflict ? (
        <Conflict
          draft={draft.draft}
          theirs={{ values: stored, version: post.version }}
          fields={fields}
          onMerged={(merged) => {
            command.reset();
            draft.replace(merged);
          }}
        />
      ) : (
        <PostForm draft={draft} command={command} body={body} />
      )}
      <div class="row">
        <Link href={href('post', { id: post.post_id })}>{t.show}</Link>
        <DeletePost post={post} onDone={draft.discard} />
      </div>
    </>
  );
}

type Texts = (typeof news)['en'];

/** What happens to the post now. */
function savedText(t: Texts, isHidden: boolean, publishedAt: string | undefined): string {
  if (isHidden) return t.savedHidden;
  return publishedAt !== undefined && Date.parse(publishedAt) > Date.now() ? t.savedScheduled : t.savedPublished;
}
