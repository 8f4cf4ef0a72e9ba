create table posts (
    post_id      bigint generated always as identity constraint posts_pkey primary key,
    author_id    bigint not null constraint posts_author references accounts,
    title        text not null,
    slug         text not null,
    summary      text not null,
    -- Markdown as it was written; the HTML is made on reading, so that a mended
    -- sanitiser mends every post.
    body         text not null,
    pinned       boolean not null,
    hidden       boolean not null,
    -- In the future: scheduled.
    published_at timestamptz not null,
    -- Counts edits, so that a writer can notice that another was faster.
    version      integer not null default 1,
    created_at   timestamptz not null default now(),
    updated_at   timestamptz not null default now(),
    -- When news.published went out; at most once per post.
    announced_at timestamptz
);
create index posts_in_order on posts (pinned desc, published_at desc, post_id desc);
