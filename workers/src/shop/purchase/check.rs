//! Checks the purchases of a set in their order: prices, limits, stock and coins.

use std::collections::BTreeMap;

use guildhall_common::contract::{
    actor::AccountId,
    character::CharacterId,
    command::OperationId,
    shop::{DeliveryId, OfferId, OrderedDelivery, Purchase, ShopRefusal},
};
use uuid::Uuid;

use crate::engine::throughput::Sent;

use super::lookup::{Buyer, FoundOffer};

/// A purchase that is allowed.
pub(super) struct Order {
    pub(super) operation_id: OperationId,
    pub(super) account_id: AccountId,
    pub(super) character_id: CharacterId,
    pub(super) character_name: String,
    /// The total price.
    pub(super) coins: i64,
    /// The coins that the account has afterwards.
    pub(super) balance: i64,
    pub(super) lines: Vec<Line>,
}

/// A line of an order, at the current price.
pub(super) struct Line {
    pub(super) offer: FoundOffer,
    pub(super) quantity: i32,
    pub(super) delivery_id: DeliveryId,
}

/// The checks of a set of purchases.
#[derive(Default)]
pub(super) struct Checks {
    /// Whether an account needs a verified e-mail address.
    pub(super) needs_verified_email: bool,
    /// Whether a character needs the confirmation of the game.
    pub(super) needs_confirmed_character: bool,
    /// The pieces that the orders take from offers with a limited stock.
    pub(super) taken: BTreeMap<OfferId, i32>,
}

impl Checks {
    /// Makes an order of a purchase that is allowed after those before it.
    pub(super) fn check(
        &mut self,
        purchase: &Sent<'_, Purchase>,
        buyer: Buyer,
        offers: Vec<FoundOffer>,
    ) -> Result<Order, ShopRefusal> {
        if self.needs_verified_email && !buyer.is_email_verified {
            return Err(ShopRefusal::EmailNotVerified);
        }
        let recipient = buyer.recipient.ok_or(ShopRefusal::CharacterNotFound)?.0;
        if recipient.is_being_deleted {
            return Err(ShopRefusal::CharacterBeingDeleted);
        }
        if self.needs_confirmed_character && !recipient.is_confirmed {
            return Err(ShopRefusal::CharacterNotConfirmed);
        }
        let lines = self.check_lines(purchase.command, offers)?;
        let coins: i64 = lines.iter().map(|line| line.offer.price * i64::from(line.quantity)).sum();
        if buyer.debt > 0 {
            return Err(ShopRefusal::CoinsOwed);
        }
        if buyer.balance < coins {
            return Err(ShopRefusal::NotEnoughCoins);
        }
        for line in lines.iter().filter(|line| line.offer.stock.is_some()) {
            *self.taken.entry(line.offer.offer_id).or_default() += line.quantity;
        }
        Ok(Order {
            operation_id: purchase.operation_id,
            account_id: buyer.account_id,
            character_id: recipient.character_id,
            character_name: recipient.name,
            coins,
            balance: buyer.balance - coins,
            lines,
        })
    }

    /// Checks prices, limits and stock, and returns each line with its offer.
    fn check_lines(&self, purchase: &Purchase, offers: Vec<FoundOffer>) -> Result<Vec<Line>, ShopRefusal> {
        let mut quantities: BTreeMap<OfferId, i32> = BTreeMap::new();
        for line in &purchase.lines {
            *quantities.entry(line.offer_id).or_default() += line.quantity.get();
        }
        if offers.len() < quantities.len() {
            return Err(ShopRefusal::OfferNotFound);
        }
        for line in &purchase.lines {
            let offer = offers.iter().find(|offer| offer.offer_id == line.offer_id);
            let price = offer.map(|offer| offer.price);
            if line.expected_price.is_some_and(|expected| Some(expected.get()) != price) {
                return Err(ShopRefusal::PriceChanged);
            }
        }
        let lines = offers.into_iter().map(|offer| {
            let quantity = quantities[&offer.offer_id];
            let wanted = offer.bought + i64::from(quantity);
            if offer.account_limit.is_some_and(|limit| wanted > i64::from(limit)) {
                return Err(ShopRefusal::LimitReached);
            }
            let taken = self.taken.get(&offer.offer_id).copied().unwrap_or_default();
            if offer.stock.is_some_and(|stock| quantity > stock - taken) {
                return Err(ShopRefusal::OutOfStock);
            }
            Ok(Line { offer, quantity, delivery_id: Uuid::now_v7().into() })
        });
        lines.collect()
    }
}

impl Order {
    pub(super) fn has_limited_stock(&self) -> bool {
        self.lines.iter().any(|line| line.offer.stock.is_some())
    }
}

impl Line {
    pub(super) fn ordered(&self) -> OrderedDelivery {
        OrderedDelivery {
            delivery_id: self.delivery_id,
            offer_id: self.offer.offer_id,
            quantity: self.quantity,
        }
    }
}
