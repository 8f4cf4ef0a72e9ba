//! Parks the open deliveries of a character.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{character::CharacterId, shop::DeliveryId};
use sqlx::PgConnection;

use crate::{
    engine::effects::Effects,
    game::timeline::{self, DeliveryEventKind},
};

/// Parks the deliveries that a game server could still lease.
pub(crate) async fn park_open(
    database: &mut PgConnection,
    effects: &mut Effects,
    character_id: CharacterId,
    now: DateTime<Utc>,
    reason: &str,
) -> sqlx::Result<()> {
    let parked = sqlx::query_scalar!(
        r#"update deliveries set parked_at = $2, last_error = $3 where character_id = $1 and state = 'open'
           returning delivery_id as "delivery_id: DeliveryId""#,
        character_id.get(),
        now,
        reason,
    )
    .fetch_all(&mut *database)
    .await?;
    timeline::record_at(database, effects, now, DeliveryEventKind::Parked, &parked, Some(reason)).await
}
