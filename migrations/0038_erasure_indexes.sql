-- Indexes for the deletion of an account, which looks for its rows in tables that grow without end.

-- The author of a changed post, and the new owner of a character that the game has given to another account.
create index audit_log_about_author on audit_log (((details ->> 'author_id')::bigint))
    where (details ->> 'author_id')::bigint is not null;
create index audit_log_about_owner on audit_log (((details ->> 'owner_id')::bigint))
    where (details ->> 'owner_id')::bigint is not null;

create index coin_transfers_with_reason on coin_transfers (operation_id) where reason is not null;
