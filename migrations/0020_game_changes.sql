-- The changes that games must know: of accounts, characters, guilds and memberships.
--
-- Triggers record a change in the transaction that makes it. So no command, job or tool can leave one out. Afterwards a worker
-- numbers the recorded changes. Recorded changes alone have no order that a reader can follow: a transaction may become visible
-- after another one that has recorded later. A number is given to visible changes only, so a reader of the numbers skips none.

create table game_changes (
    -- A game server stores the id of the last change that it has applied. The id is random. So a site that was restored from a
    -- backup does not know the ids of the changes that it has lost, even after it has new ones.
    change_id  uuid not null default gen_random_uuid() constraint game_changes_pkey primary key,
    -- The order of recording. A transaction records a change while it has the lock of the changed row, so the changes of one row
    -- have the order of their commits. A change that depends on a committed one is recorded after it.
    recorded   bigint generated always as identity,
    -- The order in which game servers read. Null: the change is not numbered yet.
    number     bigint constraint game_changes_number_unique unique,
    subject    text not null constraint game_changes_subject_known
               check (subject in ('account', 'character', 'guild', 'membership')),
    -- The id of the account, the character or the guild. A membership has the id of its character.
    subject_id bigint not null,
    -- The new state: {"account": {…}}, {"character": {…}}, {"guild": {…}} or {"membership": {…}}.
    -- Null: erased, because its account, character or guild is deleted.
    state      jsonb,
    changed_at timestamptz not null default now()
);
create index game_changes_to_number on game_changes (recorded) where number is null;
-- The erasure of earlier states.
create index game_changes_by_subject on game_changes (subject, subject_id) where state is not null;

-- The place before all changes. The purge keeps the newest change, so there is always a last one.
insert into game_changes (number, subject, subject_id) values (0, 'account', 0);

-- ---- States ------------------------------------------------------------------------------------

create function account_state(account accounts) returns jsonb language sql stable parallel safe
    return jsonb_build_object('account', jsonb_strip_nulls(jsonb_build_object(
        'account_id', account.account_id,
        'name', case when account.deleted_at is null then account.name end,
        'suspension', case when account.suspended_until is not null then jsonb_build_object(
            'until', case when isfinite(account.suspended_until) then account.suspended_until end,
            'reason', account.suspension_reason) end,
        'deleted', account.deleted_at is not null)));

-- A deleted character has lost its columns, so its state is made of the row before the deletion.
create function character_state(found characters, is_deleted boolean) returns jsonb language sql stable parallel safe
    return jsonb_build_object('character', jsonb_strip_nulls(jsonb_build_object(
        'character_id', found.character_id,
        'account_id', found.account_id,
        'name', case when not is_deleted then found.name end,
        'vocation', case when not is_deleted then found.vocation end,
        'world', found.world,
        'game_character_id', found.game_character_id,
        'deleted', is_deleted)));

create function guild_state(guild guilds, is_deleted boolean) returns jsonb language sql stable parallel safe
    return jsonb_build_object('guild', jsonb_strip_nulls(jsonb_build_object(
        'guild_id', guild.guild_id,
        'name', case when not is_deleted then guild.name end,
        'leader_id', case when not is_deleted then guild.leader_id end,
        'motd', case when not is_deleted then guild.motd end,
        'created_at', case when not is_deleted then guild.created_at end,
        'deleted', is_deleted)));

create function membership_state(member guild_members) returns jsonb language sql stable parallel safe
    return jsonb_build_object('membership', jsonb_strip_nulls(jsonb_build_object(
        'character_id', member.character_id,
        'guild_id', member.guild_id,
        'rank', guild_rank_name(guild_rank(
            exists (select from guilds where guild_id = member.guild_id and leader_id = member.character_id), member.rank)),
        'nick', nullif(member.nick, ''),
        'joined_at', member.joined_at)));

-- ---- Triggers ----------------------------------------------------------------------------------

create function record_account() returns trigger language plpgsql as $$
begin
    insert into game_changes (subject, subject_id, state) values ('account', new.account_id, account_state(new));
    return null;
end $$;
create trigger accounts_recorded_new after insert on accounts for each row execute function record_account();
create trigger accounts_recorded after update of name, suspended_until, suspension_reason, deleted_at on accounts
    for each row when ((old.name, old.suspended_until, old.suspension_reason, old.deleted_at)
        is distinct from (new.name, new.suspended_until, new.suspension_reason, new.deleted_at))
    execute function record_account();

create function record_character() returns trigger language plpgsql as $$
begin
    insert into game_changes (subject, subject_id, state) values ('character', new.character_id,
        case when new.deleted_at is null then character_state(new, false) else character_state(old, true) end);
    return null;
end $$;
create trigger characters_recorded_new after insert on characters for each row execute function record_character();
create trigger characters_recorded after update of account_id, name, world, game_character_id, deleted_at on characters
    for each row when ((old.account_id, old.name, old.world, old.game_character_id, old.deleted_at)
        is distinct from (new.account_id, new.name, new.world, new.game_character_id, new.deleted_at))
    execute function record_character();

create function record_guild() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into game_changes (subject, subject_id, state) values ('guild', old.guild_id, guild_state(old, true));
        return null;
    end if;
    insert into game_changes (subject, subject_id, state) values ('guild', new.guild_id, guild_state(new, false));
    -- The ranks of the former and of the new leader follow from the guild.
    if tg_op = 'UPDATE' and old.leader_id <> new.leader_id then
        insert into game_changes (subject, subject_id, state)
        select 'membership', character_id, membership_state(guild_members) from guild_members
        where guild_id = new.guild_id and character_id in (old.leader_id, new.leader_id) order by character_id;
    end if;
    return null;
end $$;
create trigger guilds_recorded_new after insert or delete on guilds for each row execute function record_guild();
create trigger guilds_recorded after update of name, leader_id, motd on guilds
    for each row when ((old.name, old.leader_id, old.motd) is distinct from (new.name, new.leader_id, new.motd))
    execute function record_guild();

create function record_membership() returns trigger language plpgsql as $$
begin
    if tg_op = 'DELETE' then
        insert into game_changes (subject, subject_id, state) values ('membership', old.character_id,
            jsonb_build_object('membership', jsonb_build_object('character_id', old.character_id)));
    else
        insert into game_changes (subject, subject_id, state)
        values ('membership', new.character_id, membership_state(new));
    end if;
    return null;
end $$;
create trigger guild_members_recorded_new after insert or delete on guild_members
    for each row execute function record_membership();
create trigger guild_members_recorded after update of guild_id, rank, nick on guild_members
    for each row when ((old.guild_id, old.rank, old.nick) is distinct from (new.guild_id, new.rank, new.nick))
    execute function record_membership();

-- ---- Game servers ------------------------------------------------------------------------------

alter table game_servers
    -- The last change that the game server has applied. Null: it has not read the changes.
    add column applied_change uuid,
    -- When it has named that change for the last time.
    add column changes_read_at timestamptz;
