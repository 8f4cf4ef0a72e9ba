-- Characters of players, their presence in the game, and their deaths.
--
-- Players create characters on the site. A game server confirms them, and the game owns a confirmed character.
-- Names are unique, regardless of upper and lower case. Ids of the game are unique, too.

create table characters (
    character_id      bigint generated always as identity constraint characters_pkey primary key,
    account_id        bigint not null constraint characters_account references accounts,
    -- A deleted character is named "Deleted" and its id. One that has lost its name is named "Renamed" and its id.
    name              text not null,
    name_key          text collate "C" not null generated always as (lower(name)) stored,
    -- The former name, if the game has given it to another character. Null: the game has not.
    former_name       text,
    level             integer not null default 1 constraint characters_level_positive check (level >= 1),
    vocation          text not null,
    -- The world of the game that the character is in. Null: no game server has reported one.
    world             text,
    -- The id of the character in the game, unique across all game servers. Null: no game server has reported one.
    game_character_id text collate "C",
    -- Whether a game server has reported the character as online. A job resets it when the lease of the game server expires.
    online            boolean not null default false,
    -- The game server of that report. Null: offline. The job resets it last, after it has invalidated the cached guilds.
    online_by         bigint constraint characters_online_by references service_tokens,
    -- When a game server named the account as the owner. Null: not confirmed, so the player can rename and delete the character.
    confirmed_at      timestamptz,
    -- When a job deletes the character. Null: no deletion is requested. The value stays after the deletion.
    deletion_due_at   timestamptz,
    -- The row stays after a deletion, because purchases, deliveries and invites refer to it.
    deleted_at        timestamptz,
    -- A copy of guild_members.guild_id, because an index cannot read another table. The trigger guild_members_kept writes it.
    kept_guild_id     bigint,
    created_at        timestamptz not null default now(),
    constraint characters_name_unique unique (name_key),
    constraint characters_deletion_was_due check (deleted_at is null or deletion_due_at is not null)
);
-- The characters of a game server whose lease expires, or that sends a snapshot.
create index characters_by_online on characters (online_by) where online_by is not null;
-- The list of characters that a guild can invite.
create index characters_without_guild on characters (name_key) where kept_guild_id is null and deletion_due_at is null;
-- The characters of an account, and their number.
create index characters_by_account on characters (account_id, name_key) where deleted_at is null;
-- The lists of characters by level, of one vocation or of all. The level is negative, so that both sort keys ascend.
create index characters_by_level on characters ((-level), name_key) where deleted_at is null;
create index characters_by_vocation on characters (lower(vocation), (-level), name_key) where deleted_at is null;
-- The list of online characters.
create index characters_online on characters (name_key) where online;
create unique index characters_game_character_id_unique on characters (game_character_id)
    where game_character_id is not null;

-- The online characters of a snapshot whose last part has not arrived. The last part makes all others of its game server offline.
create table snapshot_characters (
    service_token_id bigint not null constraint snapshot_characters_server references game_servers on delete cascade,
    character_id     bigint not null constraint snapshot_characters_character references characters on delete cascade,
    snapshot_id      uuid not null,
    constraint snapshot_characters_pkey primary key (service_token_id, character_id)
);

-- Deaths that game servers have reported. The deaths of a character are deleted with it.
create table deaths (
    character_id     bigint not null constraint deaths_character references characters,
    -- The id that the game gives to the death. A repeated report has the same id, so the death is stored once.
    -- Two games may give the same id to deaths of different characters.
    death_id         text collate "C" not null
                     constraint deaths_id_is_visible check (death_id ~ '^[\x21-\x7E]{1,64}$'),
    died_at          timestamptz not null,
    -- The level of the character when it died.
    level            integer not null constraint deaths_level_positive check (level > 0),
    -- The killer, as the game names it. Null: a player is the killer.
    killed_by        text,
    killer_is_player boolean not null,
    -- The character that killed. Its name is read from its row, so deaths contain no names of deleted persons.
    -- Null: the killer is no player, no confirmed character of the site, or a deleted character.
    killer_id        bigint constraint deaths_killer references characters,
    constraint deaths_pkey primary key (character_id, death_id),
    constraint deaths_have_one_killer check ((killed_by is null) = killer_is_player),
    constraint deaths_killer_is_player check (killer_id is null or killer_is_player)
);
-- The lists of deaths, of all characters and of one.
create index deaths_by_time on deaths (died_at, character_id, death_id);
create index deaths_by_character on deaths (character_id, died_at, death_id);
-- The deletion of a character, which removes it as the killer.
create index deaths_by_killer on deaths (killer_id) where killer_id is not null;
