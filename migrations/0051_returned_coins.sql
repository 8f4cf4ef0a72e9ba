-- The coins of a delivery that an administrator gives up can be returned to its buyer, once.

alter table deliveries
    -- The transfer of the coins that were returned. It stays set if a game server has delivered nevertheless.
    add column return_transfer_id bigint constraint deliveries_return_transfer references coin_transfers;
create unique index deliveries_return_transfer_unique on deliveries (return_transfer_id)
    where return_transfer_id is not null;

-- Coins that were returned. Their book is "spent". Migration 0053 checks the old rows, without a lock that stops purchases.
alter table coin_transfers
    drop constraint coin_transfers_kind_known,
    add constraint coin_transfers_kind_known
        check (kind in ('credit', 'refund', 'purchase', 'adjustment', 'rename', 'return')) not valid;
