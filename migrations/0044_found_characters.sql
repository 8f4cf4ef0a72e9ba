-- A character that is not deleted, as the rules of commands see it. It has no join, so that a query can lock its row.
create view found_characters as
select character_id, account_id, name, name_key, level,
       -- Whether a game server has named the account as its owner.
       confirmed_at is not null as is_confirmed,
       -- Whether its player has requested its deletion.
       deletion_due_at is not null as is_being_deleted,
       -- Whether a game server has reported it as online, and its lease has not expired.
       exists (select from game_servers where service_token_id = online_by and presence_until > now()) as online,
       -- Its guild and its stored rank there, if it is a member of one.
       (select guild_id from guild_members where guild_members.character_id = characters.character_id) as guild_id,
       (select rank from guild_members where guild_members.character_id = characters.character_id) as rank
from characters where deleted_at is null;
