-- The summary of a post that its editor has not written is the beginning of the text. It follows the text when that is edited.

alter table posts
    -- Whether the summary was derived from the text. This is unknown for older posts, so their summaries stay until an editor changes
    -- them.
    add column summary_is_derived boolean not null default false;
