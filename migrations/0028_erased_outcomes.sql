-- The outcomes of operations that name a deleted person are erased step by step: the table may have millions of rows.

create table erasures (
    account_id   bigint constraint erasures_pkey primary key
                 constraint erasures_account references accounts,
    -- The names and addresses of the person, in lower case. The row is deleted when no outcome has them any more.
    names        text[] not null,
    -- The last operation whose outcome was read. UUIDs of operations ascend with their time.
    erased_up_to uuid not null default '00000000-0000-0000-0000-000000000000'
);
