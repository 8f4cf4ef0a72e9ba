//! Buys offers: coins, stock, limits, the order and its deliveries change together. The purchases of several accounts that arrive
//! together need as many statements as one.

mod check;
mod lookup;
mod store;

use guildhall_common::contract::{
    command::Failure,
    shop::{OffersPurchased, Purchase, PurchaseId, ShopRefusal, shop_key},
};

use crate::engine::{
    context::Context,
    throughput::{Sent, SetContext, SetRule},
};

use self::check::{Checks, Line, Order};

/// A purchase that is stored.
pub(crate) struct Purchased {
    purchase_id: PurchaseId,
    order: Order,
}

impl SetRule for Purchase {
    type Row = Result<Purchased, ShopRefusal>;

    async fn apply_all(
        cx: &mut SetContext<'_>,
        purchases: &[Sent<'_, Self>],
    ) -> sqlx::Result<Vec<Self::Row>> {
        let offers = lookup::find_offers(cx.db, purchases).await?;
        let buyers = lookup::find_buyers(cx.db, purchases).await?;
        let needs_verified_email = cx.services.mailer.is_some() && cx.settings.shop.verified_email_required;
        let needs_confirmed_character = cx.settings.shop.confirmed_required;
        let mut checks = Checks { needs_verified_email, needs_confirmed_character, ..Checks::default() };
        let found = purchases.iter().zip(buyers).zip(offers);
        let orders: Vec<_> =
            found.map(|((purchase, buyer), offers)| checks.check(purchase, buyer, offers)).collect();
        let allowed: Vec<_> = orders.iter().flatten().collect();
        store::take_from_stock(cx.db, &checks.taken).await?;
        let purchase_ids = store::insert(cx, &allowed).await?;
        let purchased = orders.into_iter().map(|order| {
            order.map(|order| Purchased { purchase_id: purchase_ids[&order.operation_id], order })
        });
        Ok(purchased.collect())
    }

    fn complete(cx: &mut Context<'_>, purchased: Self::Row) -> Result<OffersPurchased, Failure> {
        let Purchased { purchase_id, order } = purchased?;
        if order.has_limited_stock() {
            cx.invalidate([shop_key()]);
        }
        publish(cx, purchase_id, &order);
        let deliveries = order.lines.iter().map(Line::ordered).collect();
        let Order { character_name, coins, balance, .. } = order;
        Ok(OffersPurchased { purchase_id, character_name, coins, balance, deliveries })
    }
}

/// Publishes an event for each delivery.
fn publish(cx: &mut Context<'_>, purchase_id: PurchaseId, order: &Order) {
    for line in &order.lines {
        let ready = serde_json::json!({
            "delivery_id": line.delivery_id,
            "purchase_id": purchase_id,
            "character_id": order.character_id,
            "character_name": order.character_name,
            "offer_id": line.offer.offer_id,
            "offer_name": line.offer.name,
            "quantity": line.quantity,
            "grants": line.offer.grants.0,
        });
        cx.publish("delivery.ready", &ready);
    }
}
