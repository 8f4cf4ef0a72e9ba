-- Guilds. The invariants are structure, not checks:
--   * a character is in at most one guild: the membership's key is the character;
--   * a guild has exactly one leader, who is a member: one column, not null,
--     that references a membership of the same guild.
-- The leader's rank is therefore not stored: whoever guilds.leader_id names is
-- the leader, and their stored rank (always 2) is what they keep on passing it on.

create table guilds (
    guild_id    bigint generated always as identity constraint guilds_pkey primary key,
    name        text not null,
    name_key    text collate "C" not null generated always as (lower(name)) stored,
    leader_id   bigint not null,
    motd        text not null default '',
    description text not null default '',
    created_at  timestamptz not null default now(),
    constraint guilds_name_unique unique (name_key)
);

create table guild_members (
    character_id bigint not null constraint guild_members_pkey primary key
                 constraint guild_members_character references characters,
    guild_id     bigint not null constraint guild_members_guild references guilds on delete cascade,
    -- 1 member, 2 vice-leader (or leader, see above).
    rank         smallint not null constraint guild_members_rank_known check (rank in (1, 2)),
    joined_at    timestamptz not null default now(),
    constraint guild_members_of_guild unique (guild_id, character_id)
);

-- Deferred, because a guild and its first member need each other.
alter table guilds add constraint guilds_leader_is_member
    foreign key (guild_id, leader_id) references guild_members (guild_id, character_id)
    deferrable initially deferred;

create table guild_invites (
    guild_id     bigint not null constraint guild_invites_guild references guilds on delete cascade,
    character_id bigint not null constraint guild_invites_character references characters,
    -- The member who invited; kept by id alone, they may have left since.
    invited_by   bigint not null constraint guild_invites_inviter references characters,
    invited_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    constraint guild_invites_pkey primary key (guild_id, character_id)
);
create index guild_invites_by_character on guild_invites (character_id);
create index guild_invites_by_expiry on guild_invites (expires_at);
