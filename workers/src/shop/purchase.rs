//! Buying: coins, stock, limits, order and deliveries, all or nothing.

use std::collections::BTreeMap;

use guildhall_common::contract::{
    character::CharacterRef,
    command::{Failure, OnConstraint},
    shop::{Grant, OrderedDelivery, Purchase, Purchased, ShopRefusal, shop_key},
};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    engine::rule::{Context, Rule},
    ledger::{self, COVERED, Kind, Transfer},
};

struct Character {
    character_id: i64,
    name: String,
}

/// An offer on sale, locked.
struct Offer {
    offer_id: i64,
    name: String,
    price: i64,
    grants: Json<Vec<Grant>>,
    stock: Option<i32>,
    account_limit: Option<i32>,
    /// Pieces that this account has bought before.
    bought: i64,
}

/// A line of the order, at the price of the day.
struct Bought {
    offer: Offer,
    quantity: i32,
    delivery_id: Uuid,
}

impl Rule for Purchase {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Purchased, Failure> {
        let account_id = cx.account_id()?;
        let character = recipient(cx, &self.character).await?;
        // Locked first, so that the purchases of an account come one after the other.
        let before = ledger::balance(cx.db, account_id).await?;
        let lines = lines(self, offers(cx, account_id, self).await?)?;
        let coins: i64 = lines.iter().map(|line| line.offer.price * i64::from(line.quantity)).sum();
        if before.debt > 0 {
            return Err(ShopRefusal::CoinsOwed.into());
        }
        let transfer = Transfer {
            kind: Kind::Purchase,
            account_id,
            coins: -coins,
            payment_id: None,
            operation_id: Some(cx.operation_id.0),
            reason: None,
        };
        let transfer_id =
            ledger::post(cx.db, &transfer).await.on_constraint(COVERED, ShopRefusal::NotEnoughCoins)?;
        take_from_stock(cx, &lines).await?;
        let purchase_id = order(cx, account_id, &character, coins, transfer_id, &lines).await?;
        announce(cx, &character, purchase_id, &lines);
        Ok(Purchased {
            purchase_id,
            character_name: character.name,
            coins,
            balance: before.balance - coins,
            deliveries: lines.iter().map(Bought::ordered).collect(),
        })
    }
}

/// Each line with its offer, if there is enough of it and the account may have it.
fn lines(purchase: &Purchase, offers: Vec<Offer>) -> Result<Vec<Bought>, Failure> {
    let mut quantities: BTreeMap<i64, i32> = BTreeMap::new();
    for line in &purchase.lines {
        *quantities.entry(line.offer_id.get()).or_default() += line.quantity.get();
    }
    if offers.len() < quantities.len() {
        return Err(ShopRefusal::OfferNotFound.into());
    }
    let bought = offers.into_iter().map(|offer| {
        let quantity = quantities[&offer.offer_id];
        if offer.account_limit.is_some_and(|limit| offer.bought + i64::from(quantity) > i64::from(limit)) {
            return Err(ShopRefusal::LimitReached.into());
        }
        if offer.stock.is_some_and(|stock| quantity > stock) {
            return Err(ShopRefusal::OutOfStock.into());
        }
        Ok(Bought { offer, quantity, delivery_id: Uuid::now_v7() })
    });
    bought.collect()
}

impl Bought {
    fn ordered(&self) -> OrderedDelivery {
        OrderedDelivery {
            delivery_id: self.delivery_id,
            offer_id: self.offer.offer_id,
            quantity: self.quantity,
        }
    }
}

async fn recipient(cx: &mut Context<'_>, character: &CharacterRef) -> Result<Character, Failure> {
    let (id, name) = match character {
        CharacterRef::Id(id) => (Some(id.get()), None),
        CharacterRef::Name(name) => (None, Some(name.key())),
    };
    sqlx::query_as!(
        Character,
        "select character_id, name from characters where character_id = $1 or name_key = $2",
        id,
        name,
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or_else(|| ShopRefusal::CharacterNotFound.into())
}

async fn offers(cx: &mut Context<'_>, account_id: i64, purchase: &Purchase) -> sqlx::Result<Vec<Offer>> {
    let ids: Vec<i64> = purchase.lines.iter().map(|line| line.offer_id.get()).collect();
    sqlx::query_as!(
        Offer,
        r#"select offer_id, shop_offers.name, price, grants as "grants: Json<Vec<Grant>>", stock, account_limit,
                  (select coalesce(sum(quantity), 0) from purchase_lines
                   where purchase_lines.offer_id = shop_offers.offer_id and account_id = $2) as "bought!"
           from shop_offers join shop_categories using (category_id)
           where offer_id = any($1) and archived_at is null
             and not shop_offers.hidden and not shop_categories.hidden
           order by offer_id for no key update of shop_offers"#,
        &ids,
        account_id,
    )
    .fetch_all(&mut *cx.db)
    .await
}

async fn take_from_stock(cx: &mut Context<'_>, lines: &[Bought]) -> sqlx::Result<()> {
    let limited = lines.iter().filter(|line| line.offer.stock.is_some());
    let (offers, quantities): (Vec<i64>, Vec<i32>) =
        limited.map(|line| (line.offer.offer_id, line.quantity)).unzip();
    if offers.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "update shop_offers set stock = stock - quantity
         from unnest($1::bigint[], $2::int[]) as taken (taken_id, quantity) where offer_id = taken_id",
        &offers,
        &quantities,
    )
    .execute(&mut *cx.db)
    .await?;
    cx.stale([shop_key()]);
    Ok(())
}

/// Writes purchase, lines, deliveries and the beginning of their timelines.
async fn order(
    cx: &mut Context<'_>,
    account_id: i64,
    character: &Character,
    coins: i64,
    transfer_id: i64,
    lines: &[Bought],
) -> sqlx::Result<i64> {
    let purchase_id = sqlx::query_scalar!(
        "insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
         values ($1, $2, $3, $4, $5, $6) returning purchase_id",
        account_id,
        character.character_id,
        coins,
        transfer_id,
        cx.operation_id.0,
        cx.now,
    )
    .fetch_one(&mut *cx.db)
    .await?;
    let rows: Vec<_> = lines
        .iter()
        .map(|line| {
            serde_json::json!({
                "delivery_id": line.delivery_id,
                "offer_id": line.offer.offer_id,
                "quantity": line.quantity,
                "name": line.offer.name,
                "price": line.offer.price,
                "grants": line.offer.grants.0,
            })
        })
        .collect();
    sqlx::query!(
        "with line as (
             select * from jsonb_to_recordset($5) as line
                 (delivery_id uuid, offer_id bigint, quantity int, name text, price bigint, grants jsonb)
         ), lines as (
             insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
             select $1, offer_id, $2, quantity, name, price from line
         ), ordered as (
             insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, due_at)
             select delivery_id, $1, offer_id, $3, quantity, grants, $4 from line
         )
         insert into delivery_events (delivery_id, what, happened_at)
         select delivery_id, 'ordered', $4 from line",
        purchase_id,
        account_id,
        character.character_id,
        cx.now,
        serde_json::Value::Array(rows),
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(purchase_id)
}

fn announce(cx: &mut Context<'_>, character: &Character, purchase_id: i64, lines: &[Bought]) {
    for line in lines {
        let ready = serde_json::json!({
            "delivery_id": line.delivery_id,
            "purchase_id": purchase_id,
            "character_id": character.character_id,
            "character_name": character.name,
            "offer_id": line.offer.offer_id,
            "offer_name": line.offer.name,
            "quantity": line.quantity,
            "grants": line.offer.grants.0,
        });
        cx.event("delivery.ready", &ready);
    }
}
