//! The ledger of coins: every transfer moves coins between an account and a book, and sums to zero.

use sqlx::PgConnection;
use uuid::Uuid;

/// The other side of a transfer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    /// Coins for money.
    Credit,
    /// Coins back for money that goes back: the only kind that may leave the account owing.
    Refund,
    /// Coins for goods.
    Purchase,
    /// By hand.
    Adjustment,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Credit => "credit",
            Self::Refund => "refund",
            Self::Purchase => "purchase",
            Self::Adjustment => "adjustment",
        }
    }

    fn book(self) -> &'static str {
        match self {
            Self::Credit | Self::Refund => "issued",
            Self::Purchase => "spent",
            Self::Adjustment => "adjusted",
        }
    }
}

/// Coins that change hands, and why.
#[derive(Debug)]
pub(crate) struct Transfer<'a> {
    pub(crate) kind: Kind,
    pub(crate) account_id: i64,
    /// To the account; below zero: from it.
    pub(crate) coins: i64,
    pub(crate) payment_id: Option<Uuid>,
    pub(crate) operation_id: Option<Uuid>,
    pub(crate) reason: Option<&'a str>,
}

/// The constraint that is violated when the account does not have the coins.
pub(crate) const COVERED: &str = "coin_accounts_covered";

/// Writes a transfer into the ledger; answers its id.
///
/// # Errors
/// A violation of [`COVERED`]; the database's.
pub(crate) async fn post(database: &mut PgConnection, transfer: &Transfer<'_>) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"with transfer as (
               insert into coin_transfers (kind, payment_id, operation_id, reason) values ($1, $2, $3, $4)
               returning transfer_id
           ), entries as (
               insert into coin_entries (transfer_id, book, account_id, coins)
               select transfer_id, 'player', $5::bigint, $6::bigint from transfer
               union all
               select transfer_id, $7, null, -$6::bigint from transfer
           )
           select transfer_id from transfer"#,
        transfer.kind.name(),
        transfer.payment_id,
        transfer.operation_id,
        transfer.reason,
        transfer.account_id,
        transfer.coins,
        transfer.kind.book(),
    )
    .fetch_one(database)
    .await
}

/// What an account has.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Balance {
    pub(crate) balance: i64,
    /// What it owes after a refund.
    pub(crate) debt: i64,
}

/// The account's coins, locked until the end of the transaction.
///
/// # Errors
/// The database's.
pub(crate) async fn balance(database: &mut PgConnection, account_id: i64) -> sqlx::Result<Balance> {
    let balance = sqlx::query_as!(
        Balance,
        "select balance, debt from coin_accounts where account_id = $1 for update",
        account_id,
    )
    .fetch_optional(database)
    .await?;
    Ok(balance.unwrap_or_default())
}
