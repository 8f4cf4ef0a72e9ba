-- The purchases of several accounts are applied in one statement, with their transfers.

-- The book of the site for a kind of transfer.
create function site_book(transfer_kind text) returns text language sql immutable as $$
    select case
        when transfer_kind in ('credit', 'refund') then 'issued'
        when transfer_kind = 'adjustment' then 'adjusted'
        else 'spent'
    end
$$;

create or replace function post_transfer(
    transfer_kind text,
    owner_id bigint,
    change bigint,
    payment uuid,
    operation uuid,
    transfer_reason text
) returns bigint language plpgsql as $$
declare
    new_id bigint;
begin
    insert into coin_transfers (kind, payment_id, operation_id, reason)
    values (transfer_kind, payment, operation, transfer_reason)
    returning transfer_id into new_id;
    insert into coin_entries (transfer_id, book, account_id, coins)
    values (new_id, 'player', owner_id, change), (new_id, site_book(transfer_kind), null, -change);
    return new_id;
end $$;

-- Writes a transfer for each of the operations, which differ, and returns its id.
create function post_transfers(
    transfer_kind text,
    operation_ids uuid[],
    owner_ids bigint[],
    -- For the accounts, as in post_transfer.
    changes bigint[]
) returns table (operation_id uuid, transfer_id bigint) language plpgsql as $$
#variable_conflict use_column
begin
    return query
    with transfer as (
        insert into coin_transfers (kind, operation_id)
        select transfer_kind, operation_id
        from unnest(operation_ids) with ordinality as wanted (operation_id, number) order by number
        returning operation_id, transfer_id
    ), entry as (
        insert into coin_entries (transfer_id, book, account_id, coins)
        select transfer_id, book, account_id, coins
        from transfer
        join unnest(operation_ids, owner_ids, changes) as wanted (operation_id, owner_id, change) using (operation_id)
        cross join lateral (
            values ('player', owner_id, change), (site_book(transfer_kind), null, -change)
        ) as side (book, account_id, coins)
    )
    select operation_id, transfer_id from transfer;
end $$;
