//! The history of the caller's coins. It is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::AccountId,
    coins::{CoinTransferId, CoinTransferKind},
    payment::PaymentId,
    shop::PurchaseId,
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::{list::List, list_address::ListAddress, paging::PageRows};

/// A change of the balance of coins.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(super) struct CoinEntry {
    pub transfer_id: CoinTransferId,
    pub kind: CoinTransferKind,
    /// The number of coins. It is negative if coins were removed.
    pub coins: i64,
    /// The payment whose coins were credited or removed. Missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_id: Option<PaymentId>,
    /// The purchase that was paid, or whose coins were returned. Missing if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purchase_id: Option<PurchaseId>,
    /// Why an administrator adjusted or returned the coins. Missing if no administrator did it, and after an operator has erased it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    pub happened_at: DateTime<Utc>,
}

/// The coin entries of an account, newest first.
pub(super) struct CoinHistory {
    pub account_id: AccountId,
}

impl List for CoinHistory {
    type Item = CoinEntry;
    type Position = CoinTransferId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from coin_entries where account_id = $1 limit $2) as counted"#,
            self.account_id.get(),
            limit,
        )
        .fetch_one(database)
        .await
    }

    /// The transfers are read only for the entries of the page.
    async fn items(&self, database: &PgPool, rows: PageRows<CoinTransferId>) -> sqlx::Result<Vec<CoinEntry>> {
        sqlx::query_as!(
            CoinEntry,
            r#"select transfer_id as "transfer_id: CoinTransferId", kind as "kind: CoinTransferKind", entry.coins,
                      payment_id as "payment_id: PaymentId",
                      case kind
                          when 'purchase' then (select purchase_id from purchases
                                                where purchases.transfer_id = entry.transfer_id)
                          when 'return' then (select purchase_id from deliveries
                                              where return_transfer_id = entry.transfer_id)
                      end as "purchase_id: PurchaseId",
                      reason, transferred_at as happened_at
               from (select transfer_id, coins from coin_entries
                     where account_id = $1 and ($4::bigint is null or transfer_id < $4)
                     order by transfer_id desc limit $2 offset $3) as entry
               join coin_transfers using (transfer_id)
               order by transfer_id desc"#,
            self.account_id.get(),
            rows.limit,
            rows.offset,
            rows.after as Option<CoinTransferId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(entry: &CoinEntry) -> CoinTransferId {
        entry.transfer_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_path("/accounts/coins")
    }
}

guildhall_common::examples! {
    CoinEntry {
        "transfer_id": 42, "kind": "purchase", "coins": -50, "payment_id": null, "purchase_id": 12, "reason": null,
        "happened_at": "2030-01-31T12:00:00Z"
    }
}
