-- See migration 0051. All old kinds are valid.

alter table coin_transfers validate constraint coin_transfers_kind_known;
