//! Makes many deliveries due again.

use guildhall_common::contract::{
    character::{CharacterId, CharacterRef},
    command::Failure,
    game::{DeliveriesResent, GameRefusal, ResendDeliveries, ResendState},
    shop::DeliveryId,
};

use crate::{
    character::find,
    engine::{
        audit::Entry,
        rule::{Context, Rule},
    },
    game::resend::resend,
};

/// The maximum number of deliveries that one command resends.
const MAX_DELIVERIES: i64 = 1000;

impl Rule for ResendDeliveries {
    /// For administrators: deliveries that a wrong game server refused, or that a game server lost with its data.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeliveriesResent, Failure> {
        let character_id = match &self.character {
            Some(character) => Some(find_character(cx, character).await?),
            None => None,
        };
        let deliveries = sqlx::query_scalar!(
            r#"select delivery_id as "delivery_id: DeliveryId" from deliveries join characters using (character_id)
               where state = $1 and coalesce(delivered_at, parked_at) between $2 and $3
                   and ($4::bigint is null or offer_id = $4) and ($5::bigint is null or character_id = $5)
                   and deleted_at is null
               order by coalesce(delivered_at, parked_at), delivery_id limit $6
               for update of deliveries for key share of characters"#,
            match self.state {
                ResendState::Parked => "parked",
                ResendState::Delivered => "delivered",
            },
            self.since,
            self.until,
            self.offer_id.map(|id| id.get()),
            character_id.map(|id| id.get()),
            MAX_DELIVERIES,
        )
        .fetch_all(&mut *cx.db)
        .await?;
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

async fn find_character(cx: &mut Context<'_>, character: &CharacterRef) -> Result<CharacterId, Failure> {
    let found = find::find(cx.db, character).await?.ok_or(GameRefusal::CharacterNotFound)?;
    Ok(found.character_id)
}
