//! The open deliveries of a character.

use guildhall_common::contract::{character::CharacterId, shop::DeliveryId};

use crate::{
    engine::rule::Context,
    game::timeline::{self, DeliveryEventKind},
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
    timeline::record(cx, DeliveryEventKind::Parked, &parked, Some(reason)).await
}
