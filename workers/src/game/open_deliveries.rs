//! The open deliveries of a character or of a buyer.

use guildhall_common::contract::{actor::AccountId, character::CharacterId, shop::DeliveryId};

use crate::{
    engine::context::Context,
    game::timeline::{self, TimelineEvent},
};

/// Whether a game server could still lease a delivery for the character.
pub(crate) async fn has_open(cx: &mut Context<'_>, character_id: CharacterId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (select from deliveries where character_id = $1 and state = 'open') as "has_open!""#,
        character_id.get(),
    )
    .fetch_one(&mut *cx.db)
    .await
}

/// Whether a delivery for the character is open or parked.
pub(crate) async fn has_undelivered(cx: &mut Context<'_>, character_id: CharacterId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select exists (
               select from deliveries where character_id = $1 and state in ('open', 'parked')
           ) as "has_undelivered!""#,
        character_id.get(),
    )
    .fetch_one(&mut *cx.db)
    .await
}

/// Parks the deliveries that a game server could still lease.
pub(crate) async fn park_open(
    cx: &mut Context<'_>,
    character_id: CharacterId,
    reason: &str,
) -> sqlx::Result<()> {
    let parked = sqlx::query_scalar!(
        r#"update deliveries set parked_at = $2, last_error = $3 where character_id = $1 and state = 'open'
           returning delivery_id as "delivery_id: DeliveryId""#,
        character_id.get(),
        cx.now,
        reason,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    timeline::record(cx, TimelineEvent::Parked, &parked, Some(reason)).await
}

/// Publishes that game servers can lease the due deliveries of a buyer again.
pub(crate) async fn publish_due(cx: &mut Context<'_>, buyer: AccountId) -> sqlx::Result<()> {
    let due = sqlx::query_scalar!(
        r#"select delivery_id as "delivery_id: DeliveryId" from deliveries
           where kept_account_id = $1 and state = 'open' and due_at <= $2 order by purchase_id, offer_id"#,
        buyer.get(),
        cx.now,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    for delivery_id in due {
        cx.publish("delivery.ready", &serde_json::json!({ "delivery_id": delivery_id }));
    }
    Ok(())
}
