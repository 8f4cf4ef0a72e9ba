-- The command pipeline: outcomes of commands, idempotency keys, events, jobs, dead letters, and pending cache invalidations.
--
-- The row of an operation is written in the transaction of its command. So a command that is delivered again changes nothing.

-- ---- Operations --------------------------------------------------------------------------------

-- The commands that were applied or refused. A job deletes rows after 30 days (the time is a setting).
create table operations (
    operation_id uuid constraint operations_pkey primary key,
    -- The wire name of the command, for people.
    command      text not null,
    -- The account that sent the command. Null: a visitor or a game server.
    account_id   bigint,
    -- The keyed hash of the request. A repetition of the request has the same one.
    fingerprint  bytea not null,
    -- {"applied": result} or {"refused": refusal}. An erased outcome is {"applied": null}.
    outcome      jsonb not null,
    -- The cache entries that the command made stale. A reader of the outcome invalidates them, because the worker may have died.
    stale_keys   text[] not null,
    -- When the api received the request.
    accepted_at  timestamptz not null,
    applied_at   timestamptz not null default now(),
    -- The operation of the first request with the same idempotency key. Null: this request is the first one, or has no key.
    repeats      uuid
);
-- The purge, and the number of operations in a minute.
create index operations_by_age on operations (applied_at);

-- Deferred commands: a job completes them when another system responds, such as a bank. It then moves the row to operations.
create table begun_operations (
    operation_id uuid constraint begun_operations_pkey primary key,
    -- These columns become those of operations.
    command      text not null,
    account_id   bigint,
    fingerprint  bytea not null,
    accepted_at  timestamptz not null,
    repeats      uuid,
    -- The queue of the api process that waits for the outcome. Null: none waits.
    reply_to     text,
    -- The trail, as in jobs.
    trail        jsonb,
    begun_at     timestamptz not null default now()
);
-- The operations that repeat a deferred one. They are completed together.
create index begun_operations_by_repeats on begun_operations (repeats) where repeats is not null;

-- The first request with an idempotency key claims it. The row is deleted together with its operation.
create table idempotency_keys (
    -- The keyed hash of the account and its Idempotency-Key. While a secret is replaced, a key has one row for each secret.
    key          uuid constraint idempotency_keys_pkey primary key,
    -- The operation of the first request.
    operation_id uuid not null,
    -- The keyed hash of the first request, under the same secret as the key.
    fingerprint  bytea not null
);
create index idempotency_keys_by_operation on idempotency_keys (operation_id);

-- ---- Events ------------------------------------------------------------------------------------

-- The outbox: events of committed transactions. One worker at a time publishes them in order and deletes them.
create table outbox (
    event_id     bigint generated always as identity constraint outbox_pkey primary key,
    topic        text not null,
    payload      jsonb not null,
    -- Null: an event of a job.
    operation_id uuid,
    created_at   timestamptz not null default now()
);

-- ---- Jobs --------------------------------------------------------------------------------------

-- Work that is due at a time. A worker claims a job by a lease, and deletes or reschedules the row when the job is done.
create table jobs (
    job_id     bigint generated always as identity constraint jobs_pkey primary key,
    -- The name and the parameters of the job.
    job        jsonb not null constraint jobs_unique unique,
    -- Jobs of a lane share a limit of running jobs. So a slow mail server delays no payment.
    lane       text not null default 'main' constraint jobs_lane_known check (lane in ('main', 'mail')),
    -- When the job is due, or the end of its lease.
    due_at     timestamptz not null,
    -- The claims since the job was scheduled. The delay after a failure grows with them.
    attempts   integer not null default 0,
    -- Why the last attempt failed, and when. Both are null if it did not fail.
    last_error text,
    failed_at  timestamptz,
    -- The request that scheduled the job, for the logs: {"request_id", "operation_id", "command", "traceparent"}.
    -- Null: a recurring job, a job of an operator, or a row of version 0.2.0.
    trail      jsonb
);
-- The claim of due jobs.
create index jobs_due_by_lane on jobs (lane, due_at);
-- The list and the number of failing jobs.
create index jobs_failed on jobs (failed_at) where failed_at is not null;
-- The claim of due jobs for which a player waits. After an outage of a bank, thousands of other jobs may be due.
create index jobs_awaited on jobs (lane, due_at) where job ->> 'name' = 'register_charge';

-- ---- Dead letters ------------------------------------------------------------------------------

-- Messages that could not be decoded, or whose command fails again and again. An operator replays or discards them.
create table dead_letters (
    dead_letter_id bigint generated always as identity constraint dead_letters_pkey primary key,
    queue          text not null,
    -- The redacted message, for people. Null: erased, or stored by version 0.2.0.
    message        text,
    -- SHA-256 of the message as it was received.
    message_hash   bytea not null,
    reason         text not null,
    died_at        timestamptz not null default now()
);
-- A message that arrives again is stored once.
create unique index dead_letters_message on dead_letters (queue, message_hash);

-- The messages as they were received. Only a replay reads them, because they may contain addresses, password hashes or tokens.
-- A row is deleted when its dead letter is deleted, too old for a replay, or about a deleted account.
create table dead_letter_bodies (
    dead_letter_id bigint constraint dead_letter_bodies_pkey primary key
                   constraint dead_letter_bodies_letter references dead_letters on delete cascade,
    body           bytea not null
);

-- ---- Cache -------------------------------------------------------------------------------------

-- The cache entries that could not be invalidated after a commit. While a row exists, no process reads the cache.
create table pending_invalidations (
    key       text constraint pending_invalidations_pkey primary key,
    -- When the row became visible to other processes. The worker sets it after the commit. Null: not yet.
    since     timestamptz,
    -- The last change of the cached value. A worker deletes the row only if this time is the one that it has read.
    pended_at timestamptz not null default clock_timestamp()
);
