-- Accounts of players and of the staff, with their sessions, second factors and requests to leave the site.
--
-- The schema enforces:
--   * Names of accounts are unique, regardless of upper and lower case.
--   * Verified e-mail addresses are unique. Several accounts may have the same unverified address.
--   * A second factor is complete or absent, and a suspension has a reason.
--
-- Passwords, tokens and codes are stored as hashes only. Names are ASCII, so lower() folds them and the collation "C" sorts them.

create table accounts (
    account_id               bigint generated always as identity constraint accounts_pkey primary key,
    name                     text not null,
    -- The name in lower case, for log-ins and for the unique constraint.
    name_key                 text collate "C" not null generated always as (lower(name)) stored,
    -- Empty: the account is deleted.
    email                    text not null,
    email_key                text collate "C" not null generated always as (lower(email)) stored,
    -- When the owner proved that the address is theirs. Null: the address is not verified.
    email_verified_at        timestamptz,
    -- A PHC string of argon2id. Empty: the account is deleted.
    password_hash            text not null,
    -- True: the account cannot log in until its owner resets the password with a link from a mail.
    password_expired         boolean not null default false,
    -- The roles of the staff. An account without a role is a player.
    roles                    text[] not null default '{}',
    -- The language of mails.
    language                 text not null default 'en',
    -- The secret of the authenticator app (TOTP, RFC 6238). Only the api can decrypt it, with a key from GUILDHALL_SECRET.
    -- Null: the account has no second factor.
    second_factor            bytea,
    second_factor_enabled_at timestamptz,
    -- The time step of the last accepted code. Codes of this step and of earlier ones are refused, so each code works once.
    second_factor_last_step  bigint,
    -- The account cannot log in before this time. 'infinity' is a ban. Null: the account is not suspended.
    suspended_until          timestamptz,
    -- The player reads it at the log-in.
    suspension_reason        text,
    -- When a job deletes the account. The owner can cancel this until then. Null: no deletion is requested.
    deletion_due_at          timestamptz,
    -- When the name, the address and the texts were erased. The row stays, because payments, purchases and posts refer to it.
    deleted_at               timestamptz,
    created_at               timestamptz not null default now(),
    constraint accounts_name_unique unique (name_key),
    constraint accounts_roles_known check (roles <@ array['editor', 'merchant', 'admin']),
    constraint accounts_language_known check (language in ('en', 'pt', 'es')),
    constraint accounts_second_factor_complete check (
        (second_factor is null) = (second_factor_enabled_at is null)
        and (second_factor is null) = (second_factor_last_step is null)
    ),
    constraint accounts_suspension_explained check ((suspended_until is null) = (suspension_reason is null))
);
-- Unverified addresses are not unique, so that a registration does not show whether an address has an account.
create unique index accounts_verified_email_unique on accounts (email_key) where email_verified_at is not null;
-- The search of administrators, which also finds unverified addresses.
create index accounts_by_email on accounts (email_key);

-- ---- Log-in ------------------------------------------------------------------------------------

-- A session starts with a log-in and has one valid refresh token at a time. Each use of the token replaces it.
create table sessions (
    session_id   uuid constraint sessions_pkey primary key,
    account_id   bigint not null constraint sessions_account references accounts on delete cascade,
    -- The User-Agent of the last log-in or renewal.
    device       text not null default '',
    -- The network of the last log-in or renewal: an IPv4 address, or the /64 of an IPv6 address.
    network      text not null default '',
    -- The last log-in or renewal. A session that only version 0.2.0 has used has null here, and neither device nor network.
    last_used_at timestamptz,
    created_at   timestamptz not null default now(),
    -- Null: the session is active until its last token expires.
    ended_at     timestamptz
);
create index sessions_by_account on sessions (account_id);
-- A log-in ends the least recently used sessions of an account that has too many.
create index sessions_active on sessions (account_id, (coalesce(last_used_at, created_at))) where ended_at is null;

-- The use of a replaced token ends its session, because the token may be stolen.
create table refresh_tokens (
    -- SHA-256 of the token.
    token_hash     bytea constraint refresh_tokens_pkey primary key,
    session_id     uuid not null constraint refresh_tokens_session references sessions on delete cascade,
    expires_at     timestamptz not null,
    -- Null: the token is valid until it expires.
    replaced_at    timestamptz,
    -- The hash of the token that replaced this one. A client whose response was lost can repeat the renewal for 30 s.
    successor_hash bytea
);
-- The deletion of a session, and the purge of sessions without a token.
create index refresh_tokens_by_session on refresh_tokens (session_id);
-- The purge of expired tokens.
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- The clients that have logged in to an account. Failed log-ins of strangers do not lock them out.
create table known_clients (
    account_id     bigint not null constraint known_clients_account references accounts on delete cascade,
    -- The keyed hash of the client's network, or the hash of a device token that the client keeps.
    client_hash    bytea not null,
    last_log_in_at timestamptz not null,
    -- The client needs no second factor before this time. Null: the client is not trusted. A network never is.
    trusted_until  timestamptz,
    constraint known_clients_pkey primary key (account_id, client_hash)
);

-- The unused recovery codes of second factors. A use deletes the row.
create table recovery_codes (
    account_id bigint not null constraint recovery_codes_account references accounts on delete cascade,
    -- SHA-256 of the account's id and the code. The code has 80 random bits, so it needs no slow hash.
    code_hash  bytea not null,
    constraint recovery_codes_pkey primary key (account_id, code_hash)
);

-- ---- Staff -------------------------------------------------------------------------------------

-- Notes of administrators about an account. The player reads them only in an export.
create table account_notes (
    note_id    bigint generated always as identity constraint account_notes_pkey primary key,
    account_id bigint not null constraint account_notes_account references accounts,
    -- The administrator who wrote the note.
    author_id  bigint not null constraint account_notes_author references accounts,
    text       text not null,
    created_at timestamptz not null default now()
);
create index account_notes_by_account on account_notes (account_id, note_id);

-- The role admin needs two administrators, if the site requires that. A row is the proposal of the first one.
create table admin_proposals (
    account_id  bigint constraint admin_proposals_pkey primary key
                constraint admin_proposals_account references accounts,
    proposed_by bigint not null constraint admin_proposals_author references accounts,
    expires_at  timestamptz not null
);

-- ---- Export and deletion -----------------------------------------------------------------------

-- The last copy of its data that an account has requested.
create table account_exports (
    account_id bigint constraint account_exports_pkey primary key
               constraint account_exports_account references accounts,
    -- A JSON document. The type is text, because the api returns it unchanged.
    document   text not null,
    created_at timestamptz not null default now(),
    -- A job deletes the row after this time.
    expires_at timestamptz not null
);
-- The purge of expired exports.
create index account_exports_by_expiry on account_exports (expires_at);

-- Deleted accounts whose names and addresses are still in outcomes of operations. A job erases them step by step, because
-- operations may have millions of rows.
create table erasures (
    account_id   bigint constraint erasures_pkey primary key
                 constraint erasures_account references accounts,
    -- Names and addresses of the person, in lower case. The row is deleted when no outcome contains them any more.
    names        text[] not null,
    -- The last operation whose outcome the job has read. The ids of operations ascend with time.
    erased_up_to uuid not null default '00000000-0000-0000-0000-000000000000'
);

-- The identities of deleted accounts that have paid. The law of some countries requires them. By default none is stored.
create table retained_identities (
    account_id bigint constraint retained_identities_pkey primary key
               constraint retained_identities_account references accounts,
    name       text not null,
    email      text not null,
    deleted_at timestamptz not null,
    -- A job deletes the row after this time.
    kept_until timestamptz not null
);
-- The purge after the retention.
create index retained_identities_by_end on retained_identities (kept_until);
