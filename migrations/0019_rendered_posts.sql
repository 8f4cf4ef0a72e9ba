-- The text of posts as HTML. It is no column of `posts`, whose rows are texts of the audit log.
create table rendered_posts (
    post_id  bigint constraint rendered_posts_pkey primary key
             constraint rendered_posts_post references posts on delete cascade,
    -- The version of the renderer. A job renders posts without HTML, and those of an older renderer.
    renderer smallint not null,
    html     text not null
);

comment on column posts.body is 'Markdown, as the editor wrote it. Its HTML is in rendered_posts.';
