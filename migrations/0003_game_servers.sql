-- Game servers: their service tokens, their leases on presence, and the codes that link players to accounts.

-- A game server authenticates with a service token, which an administrator creates. A revoked token keeps its row and its name.
create table service_tokens (
    service_token_id bigint generated always as identity constraint service_tokens_pkey primary key,
    name             text not null constraint service_tokens_name_unique unique,
    -- SHA-256 of the token.
    token_hash       bytea not null constraint service_tokens_hash_unique unique,
    created_at       timestamptz not null default now(),
    -- Null: the token is valid.
    revoked_at       timestamptz
);
-- The list of game servers.
create index service_tokens_valid on service_tokens (service_token_id) where revoked_at is null;

-- The game servers that have sent a request: one row for each service token.
create table game_servers (
    service_token_id  bigint constraint game_servers_pkey primary key
                      constraint game_servers_token references service_tokens on delete cascade,
    -- The last request that renewed the lease.
    seen_at           timestamptz not null,
    -- The end of the lease on presence. Characters that this game server has reported are offline afterwards.
    presence_until    timestamptz not null,
    -- The snapshot of online characters whose first parts have arrived. Null: no snapshot is incomplete.
    open_snapshot_id  uuid,
    -- The last complete snapshot. A repeated part of it changes nothing.
    snapshot_id       uuid,
    -- The number of leased deliveries since the last acknowledgement or refusal, at most 1,000,000.
    unanswered_leases integer not null default 0,
    -- The last acknowledgement or refusal of deliveries.
    answered_at       timestamptz
);

-- A player types the code in the game. The game server sends it to the site and receives the account of the player.
create table link_codes (
    -- An account has one code. A new one replaces it, and a use deletes it.
    account_id bigint constraint link_codes_pkey primary key constraint link_codes_account references accounts,
    -- SHA-256 of the code.
    code_hash  bytea not null constraint link_codes_code_hash_unique unique,
    expires_at timestamptz not null
);
