-- The commands of a domain are spread over partitions. Each partition is a queue, and one worker at a time processes it.

-- The running workers. Each one renews its row every second.
create table workers (
    worker_id   uuid constraint workers_pkey primary key,
    -- Afterwards the worker counts as dead, and other workers take its partitions.
    alive_until timestamptz not null
);

create table partitions (
    domain    text not null,
    -- 0: the queue of commands that change more than one thing, and of all commands until version 0.2.0.
    number    integer not null,
    -- Nothing is published to the queue any more: the number of partitions was reduced. Its commands are still processed.
    retired   boolean not null default false,
    -- The worker that has the lease. It ends with alive_until of the worker.
    worker_id uuid,
    -- Raised when another worker takes the lease. A transaction with an older epoch is not committed.
    epoch     bigint not null default 0,
    -- How long a new command waits until it is applied, as the worker computes it every second.
    wait_seconds integer not null default 0,
    constraint partitions_pkey primary key (domain, number)
);

-- Locks all rows that a batch of commands changes, in the same order in every transaction: guilds, characters, payments, coin
-- accounts, offers. Otherwise two batches could wait for each other. A rule reads the rows again in a later statement.
create function lock_rows(
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
        -- Purchases of an offer without a limited stock change nothing of it, and do not wait for each other.
        perform from shop_offers where offer_id = any(offer_ids) and stock is not null
        order by offer_id for no key update;
        perform from shop_offers where offer_id = any(offer_ids) order by offer_id for key share;
    end if;
end $$;

-- The first statement of a batch: everything that it needs to know before it applies its commands, and all its locks.
create function begin_batch(
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
) language plpgsql
-- All rows are found by their keys. Without statistics, as on a new site, the planner would read whole tables.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
begin
    -- The statements of a batch find rows by their keys. To plan them for each batch again takes longer than to execute them.
    perform set_config('plan_cache_mode', 'force_generic_plan', true);
    started_at = clock_timestamp();
    select coalesce(jsonb_agg(operation), '[]') into known from (
        select operation_id, encode(fingerprint, 'hex') as fingerprint, outcome, stale_keys, repeats
        from operations where operation_id = any(operation_ids)
        union all
        select operation_id, encode(fingerprint, 'hex'), null, '{}', repeats
        from begun_operations where operation_id = any(operation_ids)
    ) as operation;
    claims = '[]';
    if used_keys <> '{}' then
        -- The order of the keys is the same in all transactions. Otherwise two of them could wait for each other.
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
        where not exists (select from operations where operations.operation_id = new.operation_id)
        order by new.key
        on conflict (key) do nothing;
        -- A later statement: it sees the claims of the transactions for which the insertion has waited.
        select coalesce(jsonb_agg(jsonb_build_object(
                   'key', key, 'operation_id', operation_id, 'fingerprint', encode(fingerprint, 'hex'))), '[]')
        into claims from idempotency_keys where key = any(used_keys);
    end if;
    perform lock_rows(
        guild_ids, deleted_guild_ids, character_ids, character_names, payment_ids, account_ids, offer_ids);
end $$;

-- The last statement of a batch before its commit: it stores the outcomes and the events. False: another worker has taken one of
-- the partitions, so the transaction must not be committed.
create function end_batch(
    -- The partitions of the commands, with the epochs of their leases.
    domains text[],
    numbers integer[],
    epochs bigint[],
    completed jsonb,
    events jsonb
) returns boolean language plpgsql as $$
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
    -- No other worker can take the partitions before the commit. A renewal changes no key, and does not wait.
    select count(*) into held from (
        select from partitions
        join unnest(domains, numbers, epochs) as lease (domain, number, epoch) using (domain, number, epoch)
        for key share of partitions
    ) as held_partitions;
    return held = cardinality(epochs);
end $$;
