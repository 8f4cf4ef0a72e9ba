//! Makes many deliveries due again.

use guildhall_common::contract::{
    character::{CharacterId, CharacterRef},
    command::Failure,
    game::{DeliveriesResent, GameRefusal, ResendDeliveries, ResendStatus},
    shop::{DeliveryId, OfferId},
};

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    found_character,
    game::resend::resend,
};

/// The maximum number of deliveries that one command resends.
const MAX_DELIVERIES: i64 = 1000;

impl Rule for ResendDeliveries {
    /// For administrators: deliveries that a wrong game server refused, or that a game server lost with its data.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesResent, Failure> {
        // Otherwise the period would include the resent deliveries as soon as they are delivered, and `more` stayed true.
        if self.until > cx.now {
            return Err(GameRefusal::PeriodInTheFuture.into());
        }
        let character_id = match &self.character {
            Some(character) => Some(find_character(cx, character).await?),
            None => None,
        };
        let deliveries = match (character_id, self.offer_id) {
            (Some(character_id), _) => lock_of_character(cx, self, character_id).await?,
            (None, Some(offer_id)) => lock_of_offer(cx, self, offer_id).await?,
            (None, None) => lock_of_period(cx, self).await?,
        };
        resend(cx, &deliveries, &self.reason).await?;
        let resent = deliveries.len() as i64;
        let details = serde_json::json!({
            "state": self.state, "since": self.since, "until": self.until, "offer_id": self.offer_id,
            "character_id": character_id, "resent": resent,
        });
        cx.audit(Entry::new("delivery.resend_many", details).text("reason", &self.reason)).await?;
        Ok(DeliveriesResent { resent, more: resent == MAX_DELIVERIES })
    }
}

fn state_name(state: ResendStatus) -> &'static str {
    match state {
        ResendStatus::Parked => "parked",
        ResendStatus::Delivered => "delivered",
    }
}

// Each filter has a query and an index of its own. One query with optional filters could read all deliveries of the period.

/// The deliveries to one character, also if they must be of one offer.
async fn lock_of_character(
    cx: &mut Context<'_>,
    command: &ResendDeliveries,
    character_id: CharacterId,
) -> sqlx::Result<Vec<DeliveryId>> {
    sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries join characters using (character_id)
           where character_id = $4 and state = $1 and coalesce(delivered_at, parked_at) between $2 and $3
               and ($5::bigint is null or offer_id = $5) and deleted_at is null and return_transfer_id is null
           order by coalesce(delivered_at, parked_at), delivery_id limit $6
           for update of deliveries for key share of characters"#,
        state_name(command.state),
        command.since,
        command.until,
        character_id.get(),
        command.offer_id.map(|id| id.get()),
        MAX_DELIVERIES,
    )
    .fetch_all(&mut *cx.db)
    .await
}

async fn lock_of_offer(
    cx: &mut Context<'_>,
    command: &ResendDeliveries,
    offer_id: OfferId,
) -> sqlx::Result<Vec<DeliveryId>> {
    sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries join characters using (character_id)
           where offer_id = $4 and state = $1 and coalesce(delivered_at, parked_at) between $2 and $3
               and deleted_at is null and return_transfer_id is null
           order by coalesce(delivered_at, parked_at), delivery_id limit $5
           for update of deliveries for key share of characters"#,
        state_name(command.state),
        command.since,
        command.until,
        offer_id.get(),
        MAX_DELIVERIES,
    )
    .fetch_all(&mut *cx.db)
    .await
}

async fn lock_of_period(cx: &mut Context<'_>, command: &ResendDeliveries) -> sqlx::Result<Vec<DeliveryId>> {
    sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries join characters using (character_id)
           where state = $1 and coalesce(delivered_at, parked_at) between $2 and $3 and deleted_at is null and return_transfer_id is null
           order by coalesce(delivered_at, parked_at), delivery_id limit $4
           for update of deliveries for key share of characters"#,
        state_name(command.state),
        command.since,
        command.until,
        MAX_DELIVERIES,
    )
    .fetch_all(&mut *cx.db)
    .await
}

async fn find_character(cx: &mut Context<'_>, character: &CharacterRef) -> Result<CharacterId, Failure> {
    let found = found_character::find(cx.db, character).await?.ok_or(GameRefusal::CharacterNotFound)?;
    Ok(found.character_id)
}
