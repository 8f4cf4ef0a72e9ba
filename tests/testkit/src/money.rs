//! The check of the ledger. It returns a line for each violation.

use guildhall_common::price::CoinPrice;
use sqlx::PgPool;
use uuid::Uuid;

/// The number of rows that a violation names.
const NAMED_ROWS: usize = 10;

/// Checks the ledger and the payments: transfers sum to zero, balances are the sums of their entries, and each payment is
/// credited exactly the coins that its money buys.
///
/// # Errors
/// When the database does not respond.
pub async fn check_money(database: &PgPool) -> sqlx::Result<Vec<String>> {
    let mut violations = run_queries(
        database,
        &[
            (
                "lost: transfers that do not sum to zero",
                "select coalesce(operation_id, payment_id)::text from coin_transfers left join coin_entries using (transfer_id)
                 group by transfer_id, operation_id, payment_id having coalesce(sum(coins), 1) <> 0",
            ),
            (
                "lost: accounts whose balances are not the sums of their entries",
                "select name from accounts where exists (
                     select from (select balance, debt from coin_accounts where coin_accounts.account_id = accounts.account_id)
                         as kept
                     full join (select sum(coins) as coins from coin_entries
                                where coin_entries.account_id = accounts.account_id having count(*) > 0) as sums on true
                     where balance is distinct from coins or debt <> greatest(0, -balance))",
            ),
            (
                "lost: coins spent without a purchase, or purchases without spent coins",
                "select coalesce(purchases.operation_id, spent.operation_id)::text from purchases
                 full join (select transfer_id, operation_id, coin_entries.coins
                            from coin_entries join coin_transfers using (transfer_id) where book = 'spent' and kind = 'purchase') as spent
                     using (transfer_id)
                 where purchases.coins is distinct from spent.coins",
            ),
            (
                "lost: purchases whose price is not the sum of their lines",
                "select operation_id::text from purchases where coins is distinct from
                     (select sum(price * quantity) from purchase_lines
                      where purchase_lines.purchase_id = purchases.purchase_id)",
            ),
            (
                "lost: payments whose kept state is not the computed one",
                "select payment_id::text from payment_states where kept_state <> computed_state",
            ),
            (
                "duplicated: coins issued without a payment",
                "select coalesce(operation_id::text, transfer_id::text) from coin_entries join coin_transfers using (transfer_id)
                 where book = 'issued' and payment_id is null",
            ),
        ],
    )
    .await?;
    for payment in payments(database).await? {
        let expected = payment.price.coins_for(payment.counted);
        let CreditedPayment { payment_id, counted, credited, .. } = payment;
        if credited != expected {
            violations.push(format!(
                "lost: {payment_id}: received {counted}, which buys {expected} coins, but credited {credited}"
            ));
        }
    }
    Ok(violations)
}

/// Runs queries that find violations. Returns a line for each query with rows.
///
/// # Errors
/// When the database does not respond.
pub async fn run_queries(database: &PgPool, checks: &[(&str, &'static str)]) -> sqlx::Result<Vec<String>> {
    let mut violations = Vec::new();
    for (title, query) in checks {
        let found: Vec<Option<String>> = sqlx::query_scalar(*query).fetch_all(database).await?;
        let names: Vec<&str> =
            found.iter().take(NAMED_ROWS).map(|name| name.as_deref().unwrap_or("?")).collect();
        if !found.is_empty() {
            violations.push(format!("{title}: {}: {}", found.len(), names.join(", ")));
        }
    }
    Ok(violations)
}

struct CreditedPayment {
    payment_id: Uuid,
    price: CoinPrice,
    /// Received and not refunded, in minor units.
    counted: i64,
    credited: i64,
}

async fn payments(database: &PgPool) -> sqlx::Result<Vec<CreditedPayment>> {
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
            CreditedPayment {
                payment_id,
                price: CoinPrice { amount, coins, rate_amount, rate_coins },
                counted,
                credited,
            }
        });
    Ok(payments.collect())
}
