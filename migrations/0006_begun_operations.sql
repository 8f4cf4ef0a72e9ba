-- Commands that were taken from the queue and wait for somebody outside, such as a
-- bank: what the row in operations will need, once the outcome is known.
create table begun_operations (
    operation_id uuid constraint begun_operations_pkey primary key,
    command      text not null,
    account_id   bigint,
    fingerprint  bytea not null,
    accepted_at  timestamptz not null,
    -- The queue of the process that waits for the outcome, if one does.
    reply_to     text,
    begun_at     timestamptz not null default now()
);

-- How often a job was begun since it was last scheduled; the pause grows with it.
alter table jobs add column attempts integer not null default 0;

-- What administrators and operators did. Written in the transaction of the deed.
create table audit_log (
    audit_id     bigint generated always as identity constraint audit_log_pkey primary key,
    -- Null: an operator, at the command line.
    account_id   bigint constraint audit_log_account references accounts,
    action       text not null,
    details      jsonb not null,
    operation_id uuid,
    done_at      timestamptz not null default now()
);

create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is append-only', tg_table_name;
end $$;

create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_change();
