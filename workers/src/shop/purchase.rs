//! Buys offers: coins, stock, limits, the order and its deliveries change together.

use std::collections::BTreeMap;

use guildhall_common::contract::{
    actor::AccountId,
    command::Failure,
    shop::{
        DeliveryId, Grant, OfferId, OffersPurchased, OrderedDelivery, Purchase, PurchaseId, ShopRefusal,
        shop_key,
    },
};
use sqlx::types::Json;
use uuid::Uuid;

use crate::{
    character::find::{self, FoundCharacter},
    coins::ledger::Kind,
    engine::rule::{Context, Rule},
};

/// A locked offer that is on sale.
struct LockedOffer {
    offer_id: OfferId,
    name: String,
    price: i64,
    grants: Json<Vec<Grant>>,
    stock: Option<i32>,
    account_limit: Option<i32>,
    /// The pieces that this account has bought before.
    bought: i64,
    /// The coins of this account.
    balance: i64,
    /// The coins that it owes after a refund.
    debt: i64,
}

/// A line of the order, at the current price.
struct Line {
    offer: LockedOffer,
    quantity: i32,
    delivery_id: DeliveryId,
}

/// The order that is written to the database.
struct Order<'a> {
    account_id: AccountId,
    character: &'a FoundCharacter,
    coins: i64,
    lines: &'a [Line],
}

impl Rule for Purchase {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<OffersPurchased, Failure> {
        let account_id = cx.account_id()?;
        if cx.mailer.is_some() && cx.settings.mail.verified_email_required {
            check_verified_email(cx, account_id).await?;
        }
        let character = find::find(cx.db, &self.character).await?.ok_or(ShopRefusal::CharacterNotFound)?;
        if character.is_being_deleted {
            return Err(ShopRefusal::CharacterBeingDeleted.into());
        }
        let lines = check_lines(self, lock_offers(cx, account_id, self).await?)?;
        let (balance, debt) = lines.first().map_or((0, 0), |line| (line.offer.balance, line.offer.debt));
        let coins: i64 = lines.iter().map(|line| line.offer.price * i64::from(line.quantity)).sum();
        if debt > 0 {
            return Err(ShopRefusal::CoinsOwed.into());
        }
        if balance < coins {
            return Err(ShopRefusal::NotEnoughCoins.into());
        }
        take_from_stock(cx, &lines).await?;
        let order = Order { account_id, character: &character, coins, lines: &lines };
        let purchase_id = order.insert(cx).await?;
        order.publish(cx, purchase_id);
        Ok(OffersPurchased {
            purchase_id,
            character_name: character.name,
            coins,
            balance: balance - coins,
            deliveries: lines.iter().map(Line::ordered).collect(),
        })
    }
}

async fn check_verified_email(cx: &mut Context<'_>, account_id: AccountId) -> Result<(), Failure> {
    let is_verified = sqlx::query_scalar!(
        r#"select email_verified_at is not null as "is_verified!" from accounts where account_id = $1"#,
        account_id.get(),
    );
    match is_verified.fetch_optional(&mut *cx.db).await? {
        Some(true) => Ok(()),
        Some(false) | None => Err(ShopRefusal::EmailNotVerified.into()),
    }
}

/// Checks prices, limits and stock, and returns each line with its offer.
fn check_lines(purchase: &Purchase, offers: Vec<LockedOffer>) -> Result<Vec<Line>, Failure> {
    let mut quantities: BTreeMap<OfferId, i32> = BTreeMap::new();
    for line in &purchase.lines {
        *quantities.entry(line.offer_id).or_default() += line.quantity.get();
    }
    if offers.len() < quantities.len() {
        return Err(ShopRefusal::OfferNotFound.into());
    }
    for line in &purchase.lines {
        let offer = offers.iter().find(|offer| offer.offer_id == line.offer_id);
        let price = offer.map(|offer| offer.price);
        if line.expected_price.is_some_and(|expected| Some(expected.get()) != price) {
            return Err(ShopRefusal::PriceChanged.into());
        }
    }
    let lines = offers.into_iter().map(|offer| {
        let quantity = quantities[&offer.offer_id];
        if offer.account_limit.is_some_and(|limit| offer.bought + i64::from(quantity) > i64::from(limit)) {
            return Err(ShopRefusal::LimitReached.into());
        }
        if offer.stock.is_some_and(|stock| quantity > stock) {
            return Err(ShopRefusal::OutOfStock.into());
        }
        Ok(Line { offer, quantity, delivery_id: Uuid::now_v7().into() })
    });
    lines.collect()
}

impl Line {
    fn ordered(&self) -> OrderedDelivery {
        OrderedDelivery {
            delivery_id: self.delivery_id,
            offer_id: self.offer.offer_id,
            quantity: self.quantity,
        }
    }

    /// The row that [`Order::insert`] reads.
    fn row(&self) -> serde_json::Value {
        serde_json::json!({
            "delivery_id": self.delivery_id,
            "offer_id": self.offer.offer_id,
            "quantity": self.quantity,
            "name": self.offer.name,
            "price": self.offer.price,
            "grants": self.offer.grants.0,
        })
    }
}

/// Locks the offers of the purchase that are on sale. A limited stock is locked by its change. The batch has locked the coins of the
/// account, so purchases of one account wait for each other.
async fn lock_offers(
    cx: &mut Context<'_>,
    account_id: AccountId,
    purchase: &Purchase,
) -> sqlx::Result<Vec<LockedOffer>> {
    let ids: Vec<i64> = purchase.lines.iter().map(|line| line.offer_id.get()).collect();
    sqlx::query_as!(
        LockedOffer,
        r#"select offer_id as "offer_id: OfferId", shop_offers.name, price, grants as "grants: Json<Vec<Grant>>",
                  stock, account_limit,
                  (select coalesce(sum(quantity), 0) from purchase_lines
                   where purchase_lines.offer_id = shop_offers.offer_id and account_id = $2) as "bought!",
                  coalesce(balance, 0) as "balance!", coalesce(debt, 0) as "debt!"
           from shop_offers join shop_categories using (category_id)
           left join coin_accounts on coin_accounts.account_id = $2
           where offer_id = any($1) and archived_at is null
             and not shop_offers.hidden and not shop_categories.hidden
           order by offer_id for key share of shop_offers"#,
        &ids,
        account_id.get(),
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Takes the pieces of all lines, or none if another partition has sold some of them since they were read.
async fn take_from_stock(cx: &mut Context<'_>, lines: &[Line]) -> Result<(), Failure> {
    let limited = lines.iter().filter(|line| line.offer.stock.is_some());
    let (offers, quantities): (Vec<i64>, Vec<i32>) =
        limited.map(|line| (line.offer.offer_id.get(), line.quantity)).unzip();
    if offers.is_empty() {
        return Ok(());
    }
    let taken = sqlx::query!(
        "with locked as (
             select offer_id, quantity > stock as is_sold
             from shop_offers join unnest($1::bigint[], $2::int[]) as line (offer_id, quantity) using (offer_id)
             order by offer_id for no key update of shop_offers
         )
         update shop_offers set stock = stock - quantity
         from unnest($1::bigint[], $2::int[]) as line (line_offer_id, quantity)
         where offer_id = line_offer_id and not exists (select from locked where is_sold)",
        &offers,
        &quantities,
    )
    .execute(&mut *cx.db)
    .await?;
    if taken.rows_affected() == 0 {
        return Err(ShopRefusal::OutOfStock.into());
    }
    cx.invalidate([shop_key()]);
    Ok(())
}

impl Order<'_> {
    /// Takes the coins from the account, and inserts the purchase, its lines, its deliveries and the start of their timelines.
    async fn insert(&self, cx: &mut Context<'_>) -> sqlx::Result<PurchaseId> {
        let rows = self.lines.iter().map(Line::row).collect();
        sqlx::query_scalar!(
            r#"with purchase as (
                   insert into purchases (account_id, character_id, coins, transfer_id, operation_id, purchased_at)
                   values ($1, $2, $3, post_transfer($4, $1, $5, null, $6, null), $6, $7) returning purchase_id
               ), line as (
                   select * from purchase, jsonb_to_recordset($8) as line
                       (delivery_id uuid, offer_id bigint, quantity int, name text, price bigint, grants jsonb)
               ), lines as (
                   insert into purchase_lines (purchase_id, offer_id, account_id, quantity, name, price)
                   select purchase_id, offer_id, $1, quantity, name, price from line
               ), ordered as (
                   insert into deliveries (delivery_id, purchase_id, offer_id, character_id, quantity, grants, due_at)
                   select delivery_id, purchase_id, offer_id, $2, quantity, grants, $7 from line
               ), events as (
                   insert into delivery_events (delivery_id, what, happened_at)
                   select delivery_id, 'ordered', $7 from line
               )
               select purchase_id as "purchase_id: PurchaseId" from purchase"#,
            self.account_id.get(),
            self.character.character_id.get(),
            self.coins,
            Kind::Purchase as _,
            -self.coins,
            cx.operation_id.get(),
            cx.now,
            serde_json::Value::Array(rows),
        )
        .fetch_one(&mut *cx.db)
        .await
    }

    /// Publishes an event for each delivery.
    fn publish(&self, cx: &mut Context<'_>, purchase_id: PurchaseId) {
        for line in self.lines {
            let ready = serde_json::json!({
                "delivery_id": line.delivery_id,
                "purchase_id": purchase_id,
                "character_id": self.character.character_id,
                "character_name": self.character.name,
                "offer_id": line.offer.offer_id,
                "offer_name": line.offer.name,
                "quantity": line.quantity,
                "grants": line.offer.grants.0,
            });
            cx.publish("delivery.ready", &ready);
        }
    }
}
