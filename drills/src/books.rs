//! What must hold of the books whatever has happened.

use anyhow::ensure;
use guildhall_common::payments::price::Price;
use sqlx::PgPool;
use uuid::Uuid;

/// The ledger sums to zero, balances are the sums of their entries, and each payment's coins are what its money
/// is worth, to the unit.
///
/// # Errors
/// Tells what does not agree.
pub async fn check(database: &PgPool) -> anyhow::Result<()> {
    let sum: i64 = sqlx::query_scalar("select coalesce(sum(coins), 0)::bigint from coin_entries")
        .fetch_one(database)
        .await?;
    ensure!(sum == 0, "the ledger sums to {sum}");
    let wrong: Vec<i64> = sqlx::query_scalar(
        "select account_id from coin_accounts full join
             (select account_id, sum(coins) as coins from coin_entries where book = 'player' group by 1) as sums
             using (account_id)
         where balance is distinct from coins or debt <> greatest(0, -balance)",
    )
    .fetch_all(database)
    .await?;
    ensure!(wrong.is_empty(), "the balances of {wrong:?} are not the sums of their entries");
    for payment in payments(database).await? {
        let worth = payment.price.coins_for(payment.counted);
        let Payment { payment_id, counted, credited, .. } = payment;
        ensure!(
            credited == worth,
            "{payment_id}: {counted} came, worth {worth} coins; credited are {credited}"
        );
    }
    Ok(())
}

struct Payment {
    payment_id: Uuid,
    price: Price,
    /// Minor units that came and stayed.
    counted: i64,
    credited: i64,
}

async fn payments(database: &PgPool) -> sqlx::Result<Vec<Payment>> {
    let rows: Vec<(Uuid, i64, i64, i64, i64, i64, i64)> = sqlx::query_as(
        "select payment_id, amount, coins, rate_amount, rate_coins, counted,
                (select coalesce(-sum(coin_entries.coins), 0)::bigint
                 from coin_transfers join coin_entries using (transfer_id)
                 where coin_transfers.payment_id = payment_states.payment_id and book = 'issued')
         from payment_states",
    )
    .fetch_all(database)
    .await?;
    let payments =
        rows.into_iter().map(|(payment_id, amount, coins, rate_amount, rate_coins, counted, credited)| {
            Payment { payment_id, price: Price { amount, coins, rate_amount, rate_coins }, counted, credited }
        });
    Ok(payments.collect())
}
