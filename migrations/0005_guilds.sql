-- Guilds with their members, invites and logos.
--
-- The schema enforces:
--   * A character is in one guild at most, because the character is the primary key of guild_members.
--   * A guild has exactly one leader, and the leader is a member: guilds.leader_id references a membership of the same guild.
--   * Names of guilds are unique, regardless of upper and lower case.

-- ---- Logos -------------------------------------------------------------------------------------

-- Guilds with the same logo share its row. A job deletes a logo without a guild one hour after its last upload.
create table logos (
    logo_id     bigint generated always as identity constraint logos_pkey primary key,
    -- SHA-256 of the pictures, in hexadecimal digits. It is part of the URL of a picture, so the content of a URL never changes.
    hash        text collate "C" not null
                constraint logos_hash_unique unique
                constraint logos_hash_is_sha256 check (hash ~ '^[0-9a-f]{64}$'),
    -- The last upload.
    uploaded_at timestamptz not null default now(),
    -- When a moderator blocked the logo. Guilds show no blocked logo, and none can upload it again. Null: not blocked.
    blocked_at  timestamptz
);
-- The purge of unused logos.
create index logos_by_upload on logos (uploaded_at);

-- The pictures of a logo, one per size. A site with an object store moves them there. A job deletes those of a blocked logo.
create table logo_pictures (
    logo_id    bigint not null constraint logo_pictures_logo references logos on delete cascade,
    size       text not null constraint logo_pictures_size_known check (size in ('small', 'medium', 'large')),
    media_type text not null
               constraint logo_pictures_type_known check (media_type in ('image/webp', 'image/jpeg')),
    -- At most 64 KiB. Null: the object store has the picture.
    bytes      bytea constraint logo_pictures_bytes_bounded check (length(bytes) <= 65536),
    constraint logo_pictures_pkey primary key (logo_id, size)
);
-- The pictures are compressed already.
alter table logo_pictures alter column bytes set storage external;
-- The job that moves pictures to the object store.
create index logo_pictures_to_move on logo_pictures (logo_id, size) where bytes is not null;

-- ---- Guilds and members ------------------------------------------------------------------------

create table guilds (
    guild_id     bigint generated always as identity constraint guilds_pkey primary key,
    name         text not null,
    name_key     text collate "C" not null generated always as (lower(name)) stored,
    -- The character that leads the guild.
    leader_id    bigint not null,
    -- The message of the day.
    motd         text not null default '',
    description  text not null default '',
    -- Null: the guild has no logo.
    logo_id      bigint constraint guilds_logo references logos,
    -- The number of members, because an index cannot count rows of another table. The trigger guild_members_counted writes it.
    kept_members bigint not null default 0,
    created_at   timestamptz not null default now(),
    constraint guilds_name_unique unique (name_key)
);
-- The lists of guilds: the newest first, and the largest first.
create index guilds_by_age on guilds (created_at, guild_id);
create index guilds_by_members on guilds ((-kept_members), name_key);
-- The purge of unused logos, and the guilds of a logo that is blocked.
create index guilds_by_logo on guilds (logo_id) where logo_id is not null;

create table guild_members (
    character_id bigint not null constraint guild_members_pkey primary key
                 constraint guild_members_character references characters,
    guild_id     bigint not null constraint guild_members_guild references guilds on delete cascade,
    -- 1: member, 2: vice-leader. The rank of the leader follows from guilds.leader_id; the stored rank of a leader is 2.
    rank         smallint not null constraint guild_members_rank_known check (rank in (1, 2)),
    joined_at    timestamptz not null default now(),
    constraint guild_members_of_guild unique (guild_id, character_id)
);

-- A guild and its first member reference each other, so the constraint is checked at the commit.
alter table guilds add constraint guilds_leader_is_member
    foreign key (guild_id, leader_id) references guild_members (guild_id, character_id)
    deferrable initially deferred;

-- Maintains characters.kept_guild_id. The update waits for no lock: a rule locks a character before it changes the membership.
create function keep_guild_of_character() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        update characters set kept_guild_id = null where character_id = old.character_id;
    end if;
    if tg_op <> 'DELETE' then
        update characters set kept_guild_id = new.guild_id where character_id = new.character_id;
    end if;
    return null;
end $$;
create trigger guild_members_kept after insert or delete or update of character_id, guild_id on guild_members
    for each row execute function keep_guild_of_character();

-- Maintains guilds.kept_members. The update waits for no lock: a rule locks a guild before it changes the members.
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

-- The characters that are not deleted, as rules read them. The view has no join, so that a query can lock the row.
create view found_characters as
select character_id, account_id, name, name_key, level,
       -- Whether a game server has named the account as the owner.
       confirmed_at is not null as is_confirmed,
       -- Whether the player has requested the deletion.
       deletion_due_at is not null as is_being_deleted,
       -- Whether a game server has reported the character as online and still has its lease.
       exists (select from game_servers where service_token_id = online_by and presence_until > now()) as online,
       -- The guild and the stored rank. Null: the character is in no guild.
       (select guild_id from guild_members where guild_members.character_id = characters.character_id) as guild_id,
       (select rank from guild_members where guild_members.character_id = characters.character_id) as rank
from characters where deleted_at is null;

-- ---- Invites -----------------------------------------------------------------------------------

-- An invite of a guild to a character. Expired invites have no effect, and a job deletes them.
create table guild_invites (
    guild_id     bigint not null constraint guild_invites_guild references guilds on delete cascade,
    character_id bigint not null constraint guild_invites_character references characters,
    -- The character that invited. It need not be a member of the guild any more.
    invited_by   bigint not null constraint guild_invites_inviter references characters,
    invited_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    constraint guild_invites_pkey primary key (guild_id, character_id)
);
-- The purge of expired invites.
create index guild_invites_by_expiry on guild_invites (expires_at);
-- The lists of open invites, of a guild and of a character, in the order of their expiry. So they skip the expired ones.
create index guild_invites_by_guild on guild_invites (guild_id, expires_at, character_id);
create index guild_invites_by_character on guild_invites (character_id, expires_at, guild_id);
