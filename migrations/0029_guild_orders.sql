-- The orders of the list of guilds: by age, and by the number of members.

-- The number of members, kept by a trigger. An index cannot count guild_members, which has the truth.
alter table guilds add column kept_members bigint not null default 0;
update guilds set kept_members = members
from (select guild_id, count(*) as members from guild_members group by guild_id) as counted
where counted.guild_id = guilds.guild_id;

-- The rules lock the guild before they change its members, so the trigger waits for no lock.
create function keep_members_of_guild() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update guilds set kept_members = kept_members - 1 where guild_id = old.guild_id;
    end if;
    if tg_op <> 'DELETE' then
        update guilds set kept_members = kept_members + 1 where guild_id = new.guild_id;
    end if;
    return null;
end $$;
create trigger guild_members_counted after insert or delete or update of guild_id on guild_members
    for each row execute function keep_members_of_guild();

create index guilds_by_age on guilds (created_at, guild_id);
create index guilds_by_members on guilds ((-kept_members), name_key);
