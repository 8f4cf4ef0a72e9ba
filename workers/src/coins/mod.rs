//! Coins: their ledger, and the adjustments by administrators.

mod adjust;
pub(crate) mod ledger;
pub(crate) mod price_list;
