//! What must hold of the books whatever has happened.

use std::collections::{HashMap, HashSet};

use guildhall_common::price::Price;
use serde_json::{Value, json};
use sqlx::{PgPool, types::Json};
use uuid::Uuid;

use crate::journal::Told;

/// Of all that offends in the same way.
const NAMED: usize = 10;

/// The ledger sums to zero, balances are the sums of their entries, and each payment's coins are what its money
/// is worth, to the unit. A line for each that does not agree.
///
/// # Errors
/// When the database does not answer.
pub async fn of_money(database: &PgPool) -> sqlx::Result<Vec<String>> {
    let mut violations = offenders(
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
                "lost: coins that were spent on no purchase, or not spent on one",
                "select coalesce(purchases.operation_id, spent.operation_id)::text from purchases
                 full join (select transfer_id, operation_id, coin_entries.coins
                            from coin_entries join coin_transfers using (transfer_id) where book = 'spent') as spent
                     using (transfer_id)
                 where purchases.coins is distinct from spent.coins",
            ),
            (
                "lost: purchases that cost something else than their lines",
                "select operation_id::text from purchases where coins is distinct from
                     (select sum(price * quantity) from purchase_lines
                      where purchase_lines.purchase_id = purchases.purchase_id)",
            ),
            (
                "duplicated: coins that were issued for no payment",
                "select coalesce(operation_id::text, transfer_id::text) from coin_entries join coin_transfers using (transfer_id)
                 where book = 'issued' and payment_id is null",
            ),
        ],
    )
    .await?;
    for payment in payments(database).await? {
        let worth = payment.price.coins_for(payment.counted);
        let Payment { payment_id, counted, credited, .. } = payment;
        if credited != worth {
            violations.push(format!(
                "lost: {payment_id}: {counted} came, worth {worth} coins; credited are {credited}"
            ));
        }
    }
    Ok(violations)
}

/// Commands of which the answer does not name the operation: what came of them is in other books.
const UNTOLD: [&str; 3] = ["account.start_session", "game.lease_deliveries", "payment.notify"];

/// What each client was told of its operations, against their rows: one row each, which says the same; and no row
/// that nobody asked for. A line for each that does not agree.
///
/// # Errors
/// When the database does not answer.
pub async fn compare(database: &PgPool, told: &HashMap<Uuid, Told>) -> anyhow::Result<Vec<String>> {
    let rows: Vec<(Uuid, String, Json<Value>)> =
        sqlx::query_as("select operation_id, command, outcome from operations").fetch_all(database).await?;
    let mut violations = Vec::new();
    let mut there = HashSet::new();
    for (operation_id, command, Json(outcome)) in rows {
        there.insert(operation_id);
        let row = match outcome.get("applied") {
            Some(result) => Ok(result.clone()),
            None => Err(outcome["refused"]["code"].as_str().unwrap_or_default().to_owned()),
        };
        match told.get(&operation_id) {
            Some(told) if told.outcome == row => {}
            Some(told) => violations.push(format!(
                "lost: {operation_id} ({command}, key {}) is {row:?}, and its client was told {:?}",
                told.key, told.outcome
            )),
            None if UNTOLD.contains(&command.as_str()) => {}
            None => violations.push(format!(
                "duplicated: {operation_id} ({command}) is {row:?}, and nobody was told of it"
            )),
        }
    }
    for (operation_id, told) in told.iter().filter(|(id, _)| !there.contains(id)) {
        violations.push(format!(
            "lost: {operation_id} (key {}) has no row, and its client was told {:?}",
            told.key, told.outcome
        ));
    }
    Ok(violations)
}

/// Commands, events, invalidations, notifications and deliveries that have not come to their end.
///
/// # Errors
/// When the database does not answer.
pub async fn under_way(database: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar(
        "select (select count(*) from begun_operations) + (select count(*) from outbox)
              + (select count(*) from pending_invalidations)
              + (select count(*) from payment_notifications where state = 'open')
              + (select count(*) from deliveries where state = 'open')",
    )
    .fetch_one(database)
    .await
}

/// What must hold when nothing is under way: the books of money agree; guilds have one leader, who is a member; nobody is in two;
/// deliveries were made once; dead letters are as many as were poison. A line for each that does not.
///
/// # Errors
/// When the database does not answer.
pub async fn at_rest(database: &PgPool, poison: usize) -> anyhow::Result<Vec<String>> {
    let mut violations = of_money(database).await?;
    let rest = offenders(
        database,
        &[
            (
                "lost: guilds whose leader is no member",
                "select name from guilds where not exists
                     (select from guild_members
                      where guild_members.guild_id = guilds.guild_id and character_id = leader_id)",
            ),
            (
                "duplicated: characters that are in more than one guild",
                "select name from guild_members join characters using (character_id)
                 group by character_id, name having count(*) > 1",
            ),
            (
                "lost: deliveries that were never made",
                "select delivery_id::text from deliveries where state <> 'delivered'",
            ),
            (
                "duplicated: deliveries that were made more than once",
                "select delivery_id::text from delivery_events where what = 'delivered'
                 group by delivery_id having count(*) > 1",
            ),
            (
                "duplicated: purchases that are not one for each operation",
                "select operation_id::text from purchases
                 full join (select operation_id, 1 as applied from operations
                            where command = 'shop.purchase' and outcome ? 'applied') as operations using (operation_id)
                 group by operation_id having count(purchase_id) <> 1 or count(applied) <> 1",
            ),
        ],
    );
    violations.extend(rest.await?);
    let dead: i64 = sqlx::query_scalar("select count(*) from dead_letters").fetch_one(database).await?;
    if usize::try_from(dead)? != poison {
        violations.push(format!("lost: {poison} messages were poison, and {dead} letters are dead"));
    }
    Ok(violations)
}

/// A line for each query that finds something, with names of it.
async fn offenders(database: &PgPool, checks: &[(&str, &'static str)]) -> sqlx::Result<Vec<String>> {
    let mut violations = Vec::new();
    for (what, query) in checks {
        let found: Vec<Option<String>> = sqlx::query_scalar(*query).fetch_all(database).await?;
        let names: Vec<&str> = found.iter().take(NAMED).map(|name| name.as_deref().unwrap_or("?")).collect();
        if !found.is_empty() {
            violations.push(format!("{what}: {}: {}", found.len(), names.join(", ")));
        }
    }
    Ok(violations)
}

/// How often each command was applied and refused, by its name: `{"guild.kick": {"applied": 12, "refused": 5}, …}`.
///
/// # Errors
/// When the database does not answer.
pub async fn by_command(database: &PgPool) -> sqlx::Result<Value> {
    let counts: Vec<(String, i64, i64)> = sqlx::query_as(
        "select command, count(*) filter (where outcome ? 'applied'), count(*) filter (where outcome ? 'refused')
         from operations group by command order by command",
    )
    .fetch_all(database)
    .await?;
    Ok(counts
        .into_iter()
        .map(|(command, applied, refused)| (command, json!({ "applied": applied, "refused": refused })))
        .collect())
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
