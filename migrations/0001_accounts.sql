-- Accounts, their sessions, and their characters.
-- Names are ASCII by rule, so lower() folds them completely and "C" orders them.

create table accounts (
    account_id    bigint generated always as identity constraint accounts_pkey primary key,
    name          text not null,
    name_key      text collate "C" not null generated always as (lower(name)) stored,
    email         text not null,
    email_key     text collate "C" not null generated always as (lower(email)) stored,
    -- A PHC string of argon2id.
    password_hash text not null,
    -- editor, merchant, admin; every account is a player without saying so.
    roles         text[] not null default '{}',
    created_at    timestamptz not null default now(),
    constraint accounts_name_unique unique (name_key),
    constraint accounts_email_unique unique (email_key),
    constraint accounts_roles_known check (roles <@ array['editor', 'merchant', 'admin'])
);

-- A session is a family of refresh tokens: each use replaces the token, and
-- the use of a replaced one ends the whole family.
create table sessions (
    session_id uuid constraint sessions_pkey primary key,
    account_id bigint not null constraint sessions_account references accounts on delete cascade,
    created_at timestamptz not null default now(),
    ended_at   timestamptz
);
create index sessions_by_account on sessions (account_id);

create table refresh_tokens (
    -- SHA-256 of the token: the token itself is known to its owner alone.
    token_hash  bytea constraint refresh_tokens_pkey primary key,
    session_id  uuid not null constraint refresh_tokens_session references sessions on delete cascade,
    expires_at  timestamptz not null,
    replaced_at timestamptz
);
create index refresh_tokens_by_session on refresh_tokens (session_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- What a game server presents instead of a player's login.
create table service_tokens (
    service_token_id bigint generated always as identity constraint service_tokens_pkey primary key,
    name             text not null constraint service_tokens_name_unique unique,
    token_hash       bytea not null constraint service_tokens_hash_unique unique,
    created_at       timestamptz not null default now(),
    revoked_at       timestamptz
);

create table characters (
    character_id bigint generated always as identity constraint characters_pkey primary key,
    account_id   bigint not null constraint characters_account references accounts,
    name         text not null,
    name_key     text collate "C" not null generated always as (lower(name)) stored,
    level        integer not null default 1 constraint characters_level_positive check (level >= 1),
    vocation     text not null,
    online       boolean not null default false,
    created_at   timestamptz not null default now(),
    constraint characters_name_unique unique (name_key)
);
create index characters_by_account on characters (account_id);
