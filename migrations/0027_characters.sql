-- Players rename and delete the characters that no game server has confirmed.

alter table characters
    -- The player has asked for the deletion, and a job deletes the character then. It stays set afterwards.
    add column deletion_due_at timestamptz,
    -- The character is deleted. The row stays, because purchases and deliveries refer to it.
    add column deleted_at timestamptz,
    add constraint characters_deletion_was_due check (deleted_at is null or deletion_due_at is not null);

-- Guilds cannot invite a character that will be deleted.
drop index characters_without_guild;
create index characters_without_guild on characters (name_key) where kept_guild_id is null and deletion_due_at is null;
drop index characters_by_account;
create index characters_by_account on characters (account_id, name_key) where deleted_at is null;

-- Each deletion looks for the open deliveries of its character.
create index deliveries_open_by_character on deliveries (character_id) where state = 'open';

-- The coins for a new name of a character. Their book is "spent".
alter table coin_transfers
    drop constraint coin_transfers_kind_known,
    add constraint coin_transfers_kind_known
        check (kind in ('credit', 'refund', 'purchase', 'adjustment', 'rename'));
