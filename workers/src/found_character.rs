//! Finds characters.

use guildhall_common::contract::{
    actor::AccountId,
    character::{CharacterId, CharacterRef},
    guild::{GuildId, GuildRank},
};
use sqlx::PgConnection;

/// A row of the view `found_characters`.
pub(crate) struct FoundCharacter {
    pub(crate) character_id: CharacterId,
    pub(crate) account_id: AccountId,
    pub(crate) name: String,
    pub(crate) level: i32,
    pub(crate) is_confirmed: bool,
    pub(crate) is_being_deleted: bool,
    pub(crate) online: bool,
    pub(crate) guild_id: Option<GuildId>,
    pub(crate) rank: Option<GuildRank>,
}

/// Finds a character that is not deleted, by its id or by its name in any case.
///
/// It is locked for key share, so that no deletion misses what the rule stores about it. Other locks of a command are taken before
/// its rule.
pub(crate) async fn find(
    database: &mut PgConnection,
    character: &CharacterRef,
) -> sqlx::Result<Option<FoundCharacter>> {
    let (id, name) = id_or_name(character);
    sqlx::query_as!(
        FoundCharacter,
        r#"select character_id as "character_id!: CharacterId", account_id as "account_id!: AccountId", name as "name!",
                  level as "level!", is_confirmed as "is_confirmed!", is_being_deleted as "is_being_deleted!",
                  online as "online!", guild_id as "guild_id?: GuildId", guild_rank as "rank?: GuildRank"
           from found_characters where character_id = $1 or name_key = $2 for key share"#,
        id,
        name,
    )
    .fetch_optional(database)
    .await
}

/// The parameters of a query that finds a character.
pub(crate) fn id_or_name(character: &CharacterRef) -> (Option<i64>, Option<String>) {
    match character {
        CharacterRef::Id(id) => (Some(id.get()), None),
        CharacterRef::Name(name) => (None, Some(name.key())),
    }
}
