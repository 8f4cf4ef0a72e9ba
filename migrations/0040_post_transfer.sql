-- Writes a transfer of coins between an account and the site into the ledger, and returns its id. A purchase calls it in the statement
-- that stores the purchase, because each statement is a round trip.
create function post_transfer(
    transfer_kind text,
    owner_id bigint,
    -- For the account. A negative number removes coins from it.
    change bigint,
    payment uuid,
    operation uuid,
    transfer_reason text
) returns bigint language plpgsql as $$
declare
    new_id bigint;
    site_book text = case
        when transfer_kind in ('credit', 'refund') then 'issued'
        when transfer_kind = 'adjustment' then 'adjusted'
        else 'spent'
    end;
begin
    insert into coin_transfers (kind, payment_id, operation_id, reason)
    values (transfer_kind, payment, operation, transfer_reason)
    returning transfer_id into new_id;
    insert into coin_entries (transfer_id, book, account_id, coins)
    values (new_id, 'player', owner_id, change), (new_id, site_book, null, -change);
    return new_id;
end $$;
