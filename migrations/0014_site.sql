-- The site: the audit log of the staff, and samples of its health.
--
-- The audit log is append-only, so it contains no texts that people wrote. An operator can erase texts in audit_texts.

-- ---- Audit log ---------------------------------------------------------------------------------

-- Actions of administrators, editors, merchants and operators, and changes of characters. An entry is written with its action.
create table audit_log (
    audit_id         bigint generated always as identity constraint audit_log_pkey primary key,
    -- The account that acted. Null: an operator at the command line, a game server, or a job.
    account_id       bigint constraint audit_log_account references accounts,
    action           text not null,
    -- Ids, numbers and flags. "changes" has the changed values without texts: [{"field", "before", "after"}, …].
    details          jsonb not null,
    -- The account that the entry is about.
    about_account_id bigint generated always as ((details ->> 'account_id')::bigint) stored,
    -- The id of the command or the job. Null: an operator at the command line.
    operation_id     uuid,
    done_at          timestamptz not null default now()
);
-- The list of entries: one index for each combination of filters, each of which also serves a period.
create index audit_log_by_time on audit_log (done_at, audit_id);
create index audit_log_by_account on audit_log (account_id, done_at, audit_id);
create index audit_log_by_action on audit_log (action, done_at, audit_id);
create index audit_log_about_account on audit_log (about_account_id, done_at, audit_id);
create index audit_log_by_account_and_action on audit_log (account_id, action, done_at, audit_id);
create index audit_log_by_action_about_account on audit_log (about_account_id, action, done_at, audit_id);
create index audit_log_by_account_about_account on audit_log (account_id, about_account_id, done_at, audit_id);
create index audit_log_by_all on audit_log (account_id, about_account_id, action, done_at, audit_id);
-- The deletion of an account erases the texts of these entries, too: of its posts, and of characters that the game gave to it.
create index audit_log_about_author on audit_log (((details ->> 'author_id')::bigint))
    where (details ->> 'author_id')::bigint is not null;
create index audit_log_about_owner on audit_log (((details ->> 'owner_id')::bigint))
    where (details ->> 'owner_id')::bigint is not null;
create trigger audit_log_append_only before update or delete or truncate on audit_log
    for each statement execute function refuse_change();

-- The texts of audit entries: names, descriptions, bodies of posts, reasons, and other values that contain text.
create table audit_texts (
    audit_id  bigint not null constraint audit_texts_entry references audit_log,
    -- The name of the changed value, such as "description". "reason" is the reason of an administrator.
    field     text not null,
    -- The values as JSON. Null: there was none, or it is erased.
    before    jsonb,
    after     jsonb,
    erased_at timestamptz,
    constraint audit_texts_pkey primary key (audit_id, field),
    constraint audit_texts_erased_completely check (erased_at is null or (before is null and after is null))
);

-- ---- Health ------------------------------------------------------------------------------------

-- The current numbers, for the page of administrators and for samples. Each one reads a bounded number of rows.
create view health_counts as
select (select count(*)::integer from workers where alive_until > clock_timestamp()) as workers,
       (select count(*)::integer from partitions left join workers using (worker_id)
        where not retired and (alive_until > clock_timestamp()) is not true) as partitions_without_worker,
       (select coalesce(max(wait_seconds), 0) from partitions) as longest_wait_seconds,
       (select coalesce(max(age_seconds), 0) from partitions) as longest_age_seconds,
       (select count(*)::integer from game_servers join service_tokens using (service_token_id)
        where revoked_at is null and presence_until > clock_timestamp()) as present_game_servers,
       (select count(*)::integer from (select from dead_letters limit 10000) as counted) as dead_letters,
       (select count(*)::integer
        from (select from payment_notifications where state = 'parked' limit 10000) as counted) as parked_notifications,
       (select count(*)::integer
        from (select from deliveries where state = 'parked' limit 10000) as counted) as parked_deliveries,
       (select count(*)::integer from (select from mails where state = 'parked' limit 10000) as counted) as parked_mails,
       (select count(*)::integer from (select from mails where state = 'waiting' limit 10000) as counted) as waiting_mails,
       -- The mail server refused them or was not reachable.
       (select count(*)::integer
        from (select from mails where state = 'waiting' and last_error is not null limit 10000) as counted) as delayed_mails,
       -- Their last attempt failed, and they are tried again.
       (select count(*)::integer from (select from jobs where failed_at is not null limit 10000) as counted) as failing_jobs;

-- One row for each minute of the last six hours. A job writes a row and deletes the old ones.
create table health_samples (
    sampled_at           timestamptz constraint health_samples_pkey primary key,
    -- The commands in all queues that no worker has received. Null: RabbitMQ was not reachable.
    waiting_commands     integer,
    -- The operations of the minute before, at most 100,000.
    completed_commands   integer not null,
    longest_wait_seconds integer not null,
    longest_age_seconds  integer not null,
    workers              integer not null,
    present_game_servers integer not null,
    is_cache_reachable   boolean not null,
    -- The banks with an API whose lists were not read for five minutes.
    unreachable_banks    integer not null,
    -- The numbers of health_counts.
    dead_letters         integer not null,
    parked_notifications integer not null,
    parked_deliveries    integer not null,
    parked_mails         integer not null,
    delayed_mails        integer not null,
    failing_jobs         integer not null
);
