//! Stores the orders of a set of purchases.

use std::collections::{BTreeMap, HashMap};

use guildhall_common::contract::{
    coins::CoinTransferKind,
    command::OperationId,
    shop::{OfferId, PurchaseId},
};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::engine::throughput::SetContext;

use super::check::{Line, Order};

/// Takes the pieces of all orders, whose offers are locked.
pub(super) async fn take_from_stock(
    database: &mut PgConnection,
    taken: &BTreeMap<OfferId, i32>,
) -> sqlx::Result<()> {
    if taken.is_empty() {
        return Ok(());
    }
    let (offers, quantities): (Vec<i64>, Vec<i32>) =
        taken.iter().map(|(offer_id, quantity)| (offer_id.get(), *quantity)).unzip();
    sqlx::query!(
        "update shop_offers set stock = stock - quantity
         from unnest($1::bigint[], $2::int[]) as line (line_offer_id, quantity) where offer_id = line_offer_id",
        &offers,
        &quantities,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Takes the coins from the accounts, and inserts the purchases, their lines, their deliveries and the start of their timelines.
/// It returns the purchase of each operation.
pub(super) async fn insert(
    cx: &mut SetContext<'_>,
    orders: &[&Order],
) -> sqlx::Result<HashMap<OperationId, PurchaseId>> {
    if orders.is_empty() {
        return Ok(HashMap::new());
    }
    let operations: Vec<_> = orders.iter().map(|order| order.operation_id.get()).collect();
    let accounts: Vec<_> = orders.iter().map(|order| order.account_id.get()).collect();
    let characters: Vec<_> = orders.iter().map(|order| order.character_id.get()).collect();
    let prices: Vec<_> = orders.iter().map(|order| order.coins).collect();
    let changes: Vec<_> = orders.iter().map(|order| -order.coins).collect();
    let lines = orders.iter().flat_map(|order| order.lines.iter().map(|line| row(order.operation_id, line)));
    let purchases = sqlx::query!(
        r#"with purchase as (
               insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
               select account_id, character_id, coins, transfer_id, operation_id, $6
               from post_transfers($7, $1, $2, $5) as transfer
               join unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[])
                   as wanted (operation_id, account_id, character_id, coins) using (operation_id)
               order by transfer_id
               returning purchase_id, operation_id, account_id, character_id
           ), line as (
               select * from purchase join jsonb_to_recordset($8) as line
                   (operation_id uuid, delivery_id uuid, offer_id bigint, quantity int, name text, price bigint, grants jsonb,
                    from_stock boolean)
                   using (operation_id)
           ), lines as (
               insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
               select purchase_id, offer_id, account_id, quantity, name, price from line
           ), ordered as (
               insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, from_stock, due_at)
               select delivery_id, purchase_id, offer_id, character_id, quantity, grants, from_stock, $6 from line
           ), events as (
               insert into delivery_events (delivery_id, what, happened_at)
               select delivery_id, 'ordered', $6 from line
           )
           select operation_id as "operation_id: OperationId", purchase_id as "purchase_id: PurchaseId" from purchase"#,
        &operations,
        &accounts,
        &characters,
        &prices,
        &changes,
        cx.now,
        CoinTransferKind::Purchase as _,
        Value::Array(lines.collect()),
    )
    .fetch_all(&mut *cx.db)
    .await?;
    Ok(purchases.into_iter().map(|row| (row.operation_id, row.purchase_id)).collect())
}

/// The row of a line that [`insert`] reads.
fn row(operation_id: OperationId, line: &Line) -> Value {
    json!({
        "operation_id": operation_id,
        "delivery_id": line.delivery_id,
        "offer_id": line.offer.offer_id,
        "quantity": line.quantity,
        "name": line.offer.name,
        "price": line.offer.price,
        "grants": line.offer.grants.0,
        "from_stock": line.offer.stock.is_some(),
    })
}
