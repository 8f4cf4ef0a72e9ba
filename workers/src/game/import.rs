//! What the imports of accounts and guilds share: the permission of the game server, and the names that are still free.

use std::iter;

use guildhall_common::contract::{command::Failure, game::GameRefusal};

use crate::engine::context::Context;

/// Requires that an administrator has allowed the game server to import.
///
/// # Errors
/// None has, or the day is over.
pub(crate) async fn require_allowed(cx: &mut Context<'_>) -> Result<(), Failure> {
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

/// The names that are tried for one account or guild.
const MAX_NAMES: usize = 100;

/// The names that an account or a guild may get, the best first: its own one if the site allows it, one made of it, and that one with
/// numbers.
pub(crate) fn similar_names(
    own: Option<String>,
    made: String,
    separator: char,
) -> impl Iterator<Item = String> {
    let numbered = (2..=MAX_NAMES).map({
        let made = made.clone();
        move |number| format!("{made}{separator}{number}")
    });
    own.into_iter().chain(iter::once(made)).chain(numbered)
}
