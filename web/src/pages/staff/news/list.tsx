// All posts: published, scheduled, hidden.

import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { Link } from 'wouter-preact';
import { useTexts } from '../../../language/language';
import { Page } from '../../../look/page';
import { Time } from '../../../look/values';
import { href } from '../../../routes';
import type { PostSummary } from '../../../sdk';
import { newsListDashboardOptions } from '../../../sdk/@tanstack/preact-query.gen';
import { useListAddress } from '../panel/address';
import { Paged } from '../panel/paged';
import { Table, type Column } from '../panel/table';
import { panel } from '../panel/texts';
import { PostTags } from './tags';
import { news } from './texts';

export function PostList() {
  const t = useTexts(news);
  const p = useTexts(panel);
  const address = useListAddress();
  const { page = 1, after, limit } = address.paging;
  const list = useQuery({
    ...newsListDashboardOptions({ path: { page, limit }, query: { after } }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<PostSummary>[] = [
    {
      head: t.postTitle,
      look: 'main',
      cell: (post) => <Link href={href('staffItem', { page: 'news', id: post.post_id })}>{post.title}</Link>,
    },
    { head: p.state, cell: (post) => <PostTags post={post} /> },
    { head: t.publication, cell: (post) => <Time at={post.published_at} /> },
    { head: t.author, cell: (post) => post.author },
  ];
  const write = (
    <Link class="button" href={href('staffItem', { page: 'news', id: 'new' })}>
      {t.write}
    </Link>
  );
  return (
    <Page title={t.title} aside={write}>
      <Paged
        query={list}
        address={address}
        empty={
          <>
            <p>{t.none}</p>
            {write}
          </>
        }
      >
        {(items) => <Table caption={t.title} columns={columns} items={items} keyOf={(post) => post.post_id} />}
      </Paged>
    </Page>
  );
}
