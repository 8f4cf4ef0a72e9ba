-- The ranks of members, and the members with which an account may act in a guild. contract/guild/rank.rs has the ranks that may take
-- each action. Postgres inlines the functions, so a query with them has the same plan as one that contains their text.

-- The rank of a member: 1 member, 2 vice-leader, 3 leader.
create function guild_rank(is_leader boolean, stored smallint) returns smallint
    language sql immutable parallel safe
    return case when is_leader then 3::smallint else stored end;

-- The name of a rank, as the API has it.
create function guild_rank_name(rank smallint) returns text
    language sql immutable parallel safe
    return (array['member', 'vice_leader', 'leader'])[rank];

-- The members of a guild that belong to an account and have one of the ranks. The leader is separate, because most commands come from
-- leaders and finding them needs no search. The search looks through the members, because an account may have thousands of characters.
create function allowed_members(guild bigint, leader bigint, account bigint, ranks smallint[])
    returns table (character_id bigint, rank smallint)
    language sql stable parallel safe
begin atomic
    select leader, guild_rank(true, null)
    where guild_rank(true, null) = any(ranks)
      and account = (select account_id from characters where characters.character_id = leader and deleted_at is null)
    union all
    select members.character_id, guild_rank(false, members.rank)
    from guild_members as members
    where guild_id = guild and members.character_id <> leader and guild_rank(false, members.rank) = any(ranks)
      and account = (select account_id from characters where characters.character_id = members.character_id and deleted_at is null);
end;

-- As in 0005_guilds.sql, with the column guild_rank.
create or replace view found_characters as
select character_id, account_id, name, name_key, level,
       -- Whether a game server has named the account as the owner.
       confirmed_at is not null as is_confirmed,
       -- Whether the player has requested the deletion.
       deletion_due_at is not null as is_being_deleted,
       -- Whether a game server has reported the character as online and still has its lease.
       exists (select from game_servers where service_token_id = online_by and presence_until > now()) as online,
       -- The guild. Null: the character is in no guild.
       (select guild_id from guild_members where guild_members.character_id = characters.character_id) as guild_id,
       -- The stored rank, for workers of 0.3.0.
       (select rank from guild_members where guild_members.character_id = characters.character_id) as rank,
       -- The rank in the guild.
       (select guild_rank(character_id = leader_id, guild_members.rank) from guild_members join guilds using (guild_id)
        where guild_members.character_id = characters.character_id) as guild_rank
from characters where deleted_at is null;
