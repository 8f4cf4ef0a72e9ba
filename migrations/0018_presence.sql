-- Presence, and the characters that the game has confirmed.

-- The game servers that have called, by their service tokens.
create table game_servers (
    service_token_id  bigint constraint game_servers_pkey primary key
                      constraint game_servers_token references service_tokens on delete cascade,
    -- The last request that renewed the lease on presence.
    seen_at           timestamptz not null,
    -- The end of the lease. Afterwards no character that this game server reported counts as online.
    presence_until    timestamptz not null,
    -- Leases of deliveries since the last one that the game server acknowledged or refused.
    unanswered_leases integer not null default 0,
    answered_at       timestamptz,
    -- The last snapshot whose last part has arrived. A repeated part of it makes no character offline.
    snapshot_id       uuid
);

-- The valid service tokens, for the list of game servers.
create index service_tokens_valid on service_tokens (service_token_id) where revoked_at is null;

-- Null: a player has created the character, and no game server has named its owner yet.
alter table characters add column confirmed_at timestamptz;
-- The name that the game gave to the character of another account.
alter table characters add column former_name text;
-- The game server that reported the character as online. Null for characters that are offline.
alter table characters add column online_by bigint constraint characters_online_by references service_tokens;
create index characters_by_online on characters (online_by) where online_by is not null;
-- No game server has a lease on characters that were reported before leases existed.
update characters set online = false where online;

-- The online characters of a snapshot whose last part has not arrived.
create table snapshot_characters (
    service_token_id bigint not null constraint snapshot_characters_server references game_servers on delete cascade,
    character_id     bigint not null constraint snapshot_characters_character references characters on delete cascade,
    snapshot_id      uuid not null,
    constraint snapshot_characters_pkey primary key (service_token_id, character_id)
);
