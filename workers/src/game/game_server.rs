//! The game server of a command: it is present, and it answers the deliveries that it has leased.

use guildhall_common::contract::{actor::ServiceTokenId, command::Failure};

use crate::{engine::context::Context, game::presence};

/// Counts leases without an answer.
pub(super) async fn record_leases(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    leases: usize,
) -> Result<(), Failure> {
    if leases == 0 {
        return Ok(());
    }
    sqlx::query!(
        "update game_servers set unanswered_leases = least(unanswered_leases::bigint + $2, 1000000) where service_token_id = $1",
        server.get(),
        leases as i64,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Records that the game server acknowledges or refuses deliveries.
pub(super) async fn record_answer(cx: &mut Context<'_>) -> Result<(), Failure> {
    let server = presence::renew(cx).await?;
    sqlx::query!(
        "update game_servers set unanswered_leases = 0, answered_at = $2 where service_token_id = $1",
        server.get(),
        cx.now,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
