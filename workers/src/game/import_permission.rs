//! The permission of a game server to import accounts and guilds.

use guildhall_common::contract::{command::Failure, game::GameRefusal};

use crate::engine::context::Context;

/// Requires that an administrator has allowed the game server to import.
///
/// # Errors
/// None has, or the day is over.
pub(crate) async fn require(cx: &mut Context<'_>) -> Result<(), Failure> {
    let server = cx.service_token_id()?;
    let is_allowed = sqlx::query_scalar!(
        r#"select imports_until > $2 as "is_allowed!" from service_tokens
           where service_token_id = $1 and revoked_at is null and imports_until is not null for share"#,
        server.get(),
        cx.now,
    );
    match is_allowed.fetch_optional(&mut *cx.db).await? {
        Some(true) => Ok(()),
        Some(false) | None => Err(GameRefusal::ImportNotAllowed.into()),
    }
}
