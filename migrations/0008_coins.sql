-- The ledger of coins (double-entry bookkeeping).
--
-- The schema enforces:
--   * The entries of a transfer sum to zero, and they never change.
--   * The balance of an account is the sum of its entries.
--   * A balance is not negative, except for a debt. Only a refund or a reversal of money creates a debt.

create table coin_transfers (
    transfer_id    bigint generated always as identity constraint coin_transfers_pkey primary key,
    -- credit: coins for money. refund: removed coins, because their money went back. purchase: coins paid in the shop.
    -- adjustment: a change by an administrator. rename: the price of a new character name. return: coins of a discarded delivery.
    kind           text not null constraint coin_transfers_kind_known
                   check (kind in ('credit', 'refund', 'purchase', 'adjustment', 'rename', 'return')),
    -- Set for credit and refund.
    payment_id     uuid constraint coin_transfers_payment references payments,
    -- The command that caused the transfer. Null for credit and refund, which follow from the records of a payment.
    operation_id   uuid,
    -- The reason of an administrator. Null: none, or erased.
    reason         text,
    transferred_at timestamptz not null default now()
);
create index coin_transfers_by_payment on coin_transfers (payment_id) where payment_id is not null;
-- The erasure of the reasons of an account.
create index coin_transfers_with_reason on coin_transfers (operation_id) where reason is not null;
create trigger coin_transfers_append_only before delete or truncate on coin_transfers
    for each statement execute function refuse_change();
create trigger coin_transfers_erased_only before update on coin_transfers
    for each row execute function erase_only('reason');

-- Two entries for each transfer: one of an account, one of a book of the site.
create table coin_entries (
    transfer_id bigint not null constraint coin_entries_transfer references coin_transfers,
    -- player: the coins of an account. issued: coins sold for money. spent: coins paid to the site.
    -- adjusted: coins that administrators gave or took.
    book        text not null constraint coin_entries_book_known
                check (book in ('player', 'issued', 'spent', 'adjusted')),
    -- Set for the book player.
    account_id  bigint constraint coin_entries_account references accounts,
    -- A positive number adds coins to the book.
    coins       bigint not null constraint coin_entries_not_zero check (coins <> 0),
    constraint coin_entries_owner check ((book = 'player') = (account_id is not null)),
    constraint coin_entries_pkey primary key (transfer_id, book)
);
-- The statement of an account.
create index coin_entries_by_account on coin_entries (account_id, transfer_id) where account_id is not null;
create trigger coin_entries_append_only before update or delete or truncate on coin_entries
    for each statement execute function refuse_change();

-- The sum of the entries of each account. Only the trigger coin_entries_posted writes it.
create table coin_accounts (
    account_id bigint constraint coin_accounts_pkey primary key constraint coin_accounts_account references accounts,
    balance    bigint not null,
    -- The coins that the account owes, because a refund removed them after they were spent. Zero: no debt.
    debt       bigint not null constraint coin_accounts_debt_not_negative check (debt >= 0),
    constraint coin_accounts_covered check (balance + debt >= 0)
);

-- Checks the sum of each transfer, and updates the balances.
create function post_coin_entries() returns trigger language plpgsql as $$
begin
    if exists (select from added group by transfer_id having sum(coins) <> 0) then
        raise exception 'the entries of a transfer must sum to zero';
    end if;
    insert into coin_accounts (account_id, balance, debt)
    select distinct account_id, 0, 0 from added where book = 'player' on conflict do nothing;
    -- Only a refund can create or increase a debt. All other transfers can only reduce it.
    update coin_accounts as account
    set balance = balance + change,
        debt = case when refund then greatest(0, -(balance + change))
                    else least(debt, greatest(0, -(balance + change))) end
    from (select account_id, sum(coins)::bigint as change, bool_or(kind = 'refund') as refund
          from added join coin_transfers using (transfer_id) where book = 'player' group by account_id) as posted
    where account.account_id = posted.account_id;
    return null;
end $$;
create trigger coin_entries_posted after insert on coin_entries referencing new table as added
    for each statement execute function post_coin_entries();

-- The book of the site for a kind of transfer.
create function site_book(transfer_kind text) returns text language sql immutable as $$
    select case
        when transfer_kind in ('credit', 'refund') then 'issued'
        when transfer_kind = 'adjustment' then 'adjusted'
        else 'spent'
    end
$$;

-- Writes a transfer between an account and the site into the ledger, and returns its id. One call saves round trips.
create function post_transfer(
    transfer_kind text,
    owner_id bigint,
    -- The change of the account. A negative number removes coins from it.
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

-- Writes one transfer for each operation, and returns their ids. The operations must differ. Purchases of a batch call it.
create function post_transfers(
    transfer_kind text,
    operation_ids uuid[],
    owner_ids bigint[],
    -- The changes of the accounts, as in post_transfer.
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
