-- The summary of a post that its editor has not written is the beginning of the text. It follows the text when that is edited.

alter table posts
    -- Whether the summary was derived from the text. Nobody knows that of older posts: their summaries stay as they are until an editor
    -- changes them.
    add column summary_is_derived boolean not null default false;
