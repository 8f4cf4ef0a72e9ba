-- The deaths of characters, as game servers report them. Those of a deleted character are deleted.

create table deaths (
    character_id     bigint not null constraint deaths_character references characters,
    -- The game chooses it, so that a repeated report is stored once. Another game may use it for another character.
    death_id         text collate "C" not null
                     constraint deaths_id_is_visible check (death_id ~ '^[\x21-\x7E]{1,64}$'),
    died_at          timestamptz not null,
    -- The level at the time of the death.
    level            integer not null constraint deaths_level_positive check (level > 0),
    -- What killed the character, in the words of the game. Null: a player did.
    killed_by        text,
    killer_is_player boolean not null,
    -- The character that killed it. Its name is that of its row, so nothing keeps the name of a deleted person. Null: it is no
    -- character of the site, or it is deleted.
    killer_id        bigint constraint deaths_killer references characters,
    constraint deaths_pkey primary key (character_id, death_id),
    constraint deaths_have_one_killer check ((killed_by is null) = killer_is_player),
    constraint deaths_killer_is_player check (killer_id is null or killer_is_player)
);
create index deaths_by_time on deaths (died_at, character_id, death_id);
create index deaths_by_character on deaths (character_id, died_at, death_id);
-- Each deletion looks for the deaths that its character caused.
create index deaths_by_killer on deaths (killer_id) where killer_id is not null;
