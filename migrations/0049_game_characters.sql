-- Game servers identify characters by ids of the game. Then the site follows the names and owners that change there.

alter table characters
    -- The id of the character in the game, unique across all game servers. Null if no game server has reported one.
    add column game_character_id text collate "C",
    -- The world of the game that the character is in. Null if no game server has reported one.
    add column world text;
create unique index characters_game_character_id_unique on characters (game_character_id)
    where game_character_id is not null;
