-- begin_batch without joins: on a new site without statistics, a join read the whole table of operations for each batch. The worker
-- sets plan_cache_mode for its connections.

create or replace function begin_batch(
    operation_ids uuid[],
    -- The idempotency keys that commands of the batch use, with the operation and the fingerprint of the first use.
    used_keys uuid[],
    key_operation_ids uuid[],
    key_fingerprints text[],
    guild_ids bigint[],
    deleted_guild_ids bigint[],
    character_ids bigint[],
    character_names text[],
    payment_ids uuid[],
    account_ids bigint[],
    offer_ids bigint[],
    -- The clock of the database, as reads use it.
    out started_at timestamptz,
    -- The operations that are completed or deferred already.
    out known jsonb,
    -- The first use of each key.
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
            select new.key, coalesce(older.operation_id, new.operation_id),
                   coalesce(older.fingerprint, decode(new.fingerprint, 'hex'))
            from unnest(used_keys, key_operation_ids, key_fingerprints) as new (key, operation_id, fingerprint)
            -- An operation of version 0.2.0 that was stored after the migration has its key as its id.
            left join lateral (
                select operation_id, fingerprint from operations where operation_id = new.key
                union all
                select operation_id, fingerprint from begun_operations where operation_id = new.key
                limit 1
            ) as older on true
            -- The claim of a completed operation may have been deleted together with the operation of its first request.
            where new.operation_id <> all(completed_ids)
            -- The order of the keys is the same in all transactions. Otherwise two of them could wait for each other.
            order by new.key
            on conflict (key) do nothing
            returning key, operation_id, fingerprint
        )
        select count(*), coalesce(jsonb_agg(jsonb_build_object(
                   'key', key, 'operation_id', operation_id, 'fingerprint', encode(fingerprint, 'hex'))), '[]')
        into claimed, claims from inserted;
        if claimed < cardinality(used_keys) then
            -- A later statement: it sees the claims of the transactions for which the insertion has waited.
            select coalesce(jsonb_agg(jsonb_build_object(
                       'key', key, 'operation_id', operation_id, 'fingerprint', encode(fingerprint, 'hex'))), '[]')
            into claims from idempotency_keys where key = any(used_keys);
        end if;
    end if;
    perform lock_rows(
        guild_ids, deleted_guild_ids, character_ids, character_names, payment_ids, account_ids, offer_ids);
end $$;
