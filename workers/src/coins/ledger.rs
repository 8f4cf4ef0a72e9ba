//! The ledger of coins, with double entry: each transfer has one entry for the player and one for the site, with the sum zero.

use guildhall_common::contract::{
    actor::AccountId, coins::CoinTransferKind, command::OperationId, payment::PaymentId,
};
use sqlx::PgConnection;

/// Coins that move between an account and the site, with the reason.
#[derive(Debug)]
pub(crate) struct Transfer<'a> {
    pub(crate) kind: CoinTransferKind,
    pub(crate) account_id: AccountId,
    /// Coins for the account. A negative number removes coins from it.
    pub(crate) coins: i64,
    pub(crate) payment_id: Option<PaymentId>,
    pub(crate) operation_id: Option<OperationId>,
    pub(crate) reason: Option<&'a str>,
}

/// The constraint that is violated when the account does not have enough coins.
pub(crate) const BALANCE_CONSTRAINT: &str = "coin_accounts_covered";

/// Writes a transfer into the ledger, and returns its id.
///
/// # Errors
/// A violation of [`BALANCE_CONSTRAINT`], or another error of the database.
pub(crate) async fn post(database: &mut PgConnection, transfer: &Transfer<'_>) -> sqlx::Result<i64> {
    let transfer_id = sqlx::query_scalar!(
        r#"select post_transfer($1, $2, $3, $4, $5, $6) as "transfer_id!""#,
        transfer.kind as _,
        transfer.account_id.get(),
        transfer.coins,
        transfer.payment_id as Option<PaymentId>,
        transfer.operation_id.map(OperationId::get),
        transfer.reason,
    );
    transfer_id.fetch_one(database).await
}

/// Reads the balance of an account, and locks it until the end of the transaction.
///
/// # Errors
/// Those of the database.
pub(crate) async fn balance(database: &mut PgConnection, account_id: AccountId) -> sqlx::Result<i64> {
    let balance = sqlx::query_scalar!(
        "select balance from coin_accounts where account_id = $1 for update",
        account_id.get(),
    )
    .fetch_optional(database)
    .await?;
    Ok(balance.unwrap_or_default())
}
