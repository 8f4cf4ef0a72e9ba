-- What the command pipeline keeps.

-- One row per command that took effect or was refused, written in the same
-- transaction as its effect: the reason why a redelivery changes nothing.
create table operations (
    operation_id uuid constraint operations_pkey primary key,
    -- The wire name of the command, for people.
    command      text not null,
    -- Null: nobody was signed in (registration), or a game server.
    account_id   bigint,
    -- Tells a repeated request from another one under the same Idempotency-Key.
    fingerprint  bytea not null,
    -- {"applied": result} or {"refused": refusal}
    outcome      jsonb not null,
    -- The cached values that the command made stale, for whoever tells its outcome.
    stale_keys   text[] not null,
    accepted_at  timestamptz not null,
    applied_at   timestamptz not null default now()
);
create index operations_by_age on operations (applied_at);

-- Commands that could not be decoded or failed again and again for their own
-- sake: kept until someone replays or discards them.
create table dead_letters (
    dead_letter_id bigint generated always as identity constraint dead_letters_pkey primary key,
    queue          text not null,
    body           bytea not null,
    reason         text not null,
    died_at        timestamptz not null default now()
);

-- Events of this database's transactions on their way to the topic exchange.
create table outbox (
    event_id     bigint generated always as identity constraint outbox_pkey primary key,
    topic        text not null,
    payload      jsonb not null,
    operation_id uuid,
    created_at   timestamptz not null default now()
);

-- Work that is due at a time. A row is claimed with "for update skip locked", put
-- forward as a lease, and deleted (or, recurring, put forward) when all is done.
create table jobs (
    job_id bigint generated always as identity constraint jobs_pkey primary key,
    due_at timestamptz not null,
    job    jsonb not null constraint jobs_unique unique
);
create index jobs_by_due on jobs (due_at);

-- Keys that could not be removed from the cache after a commit. While there is
-- a row here nobody reads the cache (see docs/ARCHITECTURE.md, "Reads").
create table pending_invalidations (
    key       text constraint pending_invalidations_pkey primary key,
    -- Since when the row has been here without a break.
    since     timestamptz not null default clock_timestamp(),
    -- When the key last went stale; the row may go only if this has not moved.
    pended_at timestamptz not null default clock_timestamp()
);
