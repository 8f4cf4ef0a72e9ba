-- The functions of the first and the last statement of a batch. batch_statements.rs calls them.
--
-- `guildhall-workers migrate` creates them again each time, so this file has their newest form. While a site is updated, workers of
-- the last release call them, too: a changed parameter needs a function with another name.

-- Locks all rows that a batch of commands changes. The order is the same in every transaction, so two batches never deadlock:
-- guilds, characters, payments, coin accounts, offers. A rule reads the rows again in a later statement.
create or replace function lock_rows(
    guild_ids bigint[],
    -- Their members are locked, too.
    deleted_guild_ids bigint[],
    character_ids bigint[],
    character_names text[],
    payment_ids uuid[],
    account_ids bigint[],
    offer_ids bigint[]
) returns void language plpgsql as $$
begin
    if guild_ids <> '{}' then
        perform from guilds where guild_id = any(guild_ids) order by guild_id for update;
    end if;
    if character_ids <> '{}' or character_names <> '{}' or deleted_guild_ids <> '{}' then
        perform from characters
        where character_id = any(character_ids || array(
                  select character_id from guild_members where guild_id = any(deleted_guild_ids)))
           or name_key = any(character_names)
        order by name_key for no key update;
    end if;
    if payment_ids <> '{}' then
        perform from payments where payment_id = any(payment_ids) order by payment_id for update;
    end if;
    if account_ids <> '{}' or payment_ids <> '{}' then
        perform from coin_accounts
        where account_id = any(account_ids || array(
                  select account_id from payments where payment_id = any(payment_ids)))
        order by account_id for update;
    end if;
    if offer_ids <> '{}' then
        -- A purchase does not change an offer without a limited stock. So such purchases do not wait for each other.
        perform from shop_offers where offer_id = any(offer_ids) and stock is not null
        order by offer_id for no key update;
        perform from shop_offers where offer_id = any(offer_ids) order by offer_id for key share;
    end if;
end $$;

-- The first statement of a batch. It finds known operations, claims idempotency keys and takes all locks.
-- It finds rows by arrays of keys, because a join could read a whole table on a site without statistics.
create or replace function begin_batch(
    operation_ids uuid[],
    -- The idempotency keys of the batch. The next two arrays have the operation and the fingerprint of the first use of each.
    used_keys uuid[],
    key_operation_ids uuid[],
    key_fingerprints text[],
    -- The rows to lock, as in lock_rows.
    guild_ids bigint[],
    deleted_guild_ids bigint[],
    character_ids bigint[],
    character_names text[],
    payment_ids uuid[],
    account_ids bigint[],
    offer_ids bigint[],
    -- The clock of the database, which reads use, too.
    out started_at timestamptz,
    -- The operations that are completed or deferred already.
    out known jsonb,
    -- The claim of each used key.
    out claims jsonb
) language plpgsql as $$
declare
    completed_ids uuid[];
    claimed bigint;
begin
    started_at = clock_timestamp();
    select coalesce(jsonb_agg(operation), '[]'),
           coalesce(array_agg(operation_id) filter (where outcome is not null), '{}')
    into known, completed_ids
    from (
        select operation_id, encode(fingerprint, 'hex') as fingerprint, outcome, stale_keys, repeats
        from operations where operation_id = any(operation_ids)
        union all
        select operation_id, encode(fingerprint, 'hex'), null, '{}', repeats
        from begun_operations where operation_id = any(operation_ids)
    ) as operation;
    claims = '[]';
    if used_keys <> '{}' then
        with inserted as (
            insert into idempotency_keys (key, operation_id, fingerprint)
            select new.key, new.operation_id, decode(new.fingerprint, 'hex')
            from unnest(used_keys, key_operation_ids, key_fingerprints) as new (key, operation_id, fingerprint)
            -- The claim of a completed operation may be deleted, together with the operation of its first request.
            where new.operation_id <> all(completed_ids)
            -- The order of the keys is the same in all transactions, so two of them never deadlock.
            order by new.key
            on conflict (key) do nothing
            returning key, operation_id, fingerprint
        )
        select count(*), coalesce(jsonb_agg(jsonb_build_object(
                   'key', key, 'operation_id', operation_id, 'fingerprint', encode(fingerprint, 'hex'))), '[]')
        into claimed, claims from inserted;
        if claimed < cardinality(used_keys) then
            -- A later statement sees the claims of the transactions for which the insertion has waited.
            select coalesce(jsonb_agg(jsonb_build_object(
                       'key', key, 'operation_id', operation_id, 'fingerprint', encode(fingerprint, 'hex'))), '[]')
            into claims from idempotency_keys where key = any(used_keys);
        end if;
    end if;
    perform lock_rows(
        guild_ids, deleted_guild_ids, character_ids, character_names, payment_ids, account_ids, offer_ids);
end $$;

-- The last statement of a batch. It stores the outcomes and events. The error GH001 says that the worker has lost a lease, so that
-- the transaction is not committed. It is an error, because the worker sends `commit` together with this statement.
create or replace procedure end_batch_or_fail(
    -- The partitions of the commands, with the epochs of their leases.
    domains text[],
    numbers integer[],
    epochs bigint[],
    completed jsonb,
    events jsonb
) language plpgsql as $$
declare
    held integer;
begin
    if completed <> '[]' then
        insert into operations
            (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at, repeats)
        select operation_id, command, account_id, decode(fingerprint, 'hex'), outcome, stale_keys, accepted_at, repeats
        from jsonb_to_recordset(completed) as fresh (operation_id uuid, command text, account_id bigint,
             fingerprint text, outcome jsonb, stale_keys text[], accepted_at timestamptz, repeats uuid);
    end if;
    if events <> '[]' then
        insert into outbox (operation_id, topic, payload)
        select operation_id, topic, payload
        from jsonb_to_recordset(events) as fresh (operation_id uuid, topic text, payload jsonb);
    end if;
    -- The locks keep other workers from taking the partitions before the commit. A renewal changes no key, so it does not wait.
    select count(*) into held from (
        select from partitions
        join unnest(domains, numbers, epochs) as lease (domain, number, epoch) using (domain, number, epoch)
        for key share of partitions
    ) as held_partitions;
    if held <> cardinality(epochs) then
        raise exception 'another worker has taken the partition' using errcode = 'GH001';
    end if;
end $$;
