-- News: the posts of editors. A post is visible from its time of publication, unless it is hidden.

create table posts (
    post_id            bigint generated always as identity constraint posts_pkey primary key,
    author_id          bigint not null constraint posts_author references accounts,
    title              text not null,
    -- The title in the form of a URL. It is not unique, because the URL of a post also has its id.
    slug               text not null,
    summary            text not null,
    -- True: the worker derived the summary from the body, and derives it again when the body changes.
    -- False: the editor wrote it, or version 0.2.0 stored the post.
    summary_is_derived boolean not null default false,
    -- Markdown, as the editor wrote it. The api converts it to HTML for responses, so a corrected sanitiser applies to all posts.
    body               text not null,
    pinned             boolean not null,
    hidden             boolean not null,
    -- A time in the future is a scheduled publication.
    published_at       timestamptz not null,
    -- When the event news.published was sent. It is sent once per post. Null: not yet.
    announced_at       timestamptz,
    -- The number of edits, plus one. An edit names the version that its editor has read, and raises it.
    version            integer not null default 1,
    created_at         timestamptz not null default now(),
    updated_at         timestamptz not null default now()
);
-- The lists of posts: of editors, with hidden posts, and of all others.
create index posts_in_order on posts (pinned desc, published_at desc, post_id desc);
create index posts_not_hidden on posts (pinned, published_at, post_id) where not hidden;
