//! Finds characters.

use guildhall_common::contract::{
    actor::AccountId,
    character::{CharacterId, CharacterRef},
    guild::{AssignableRank, GuildId},
};
use sqlx::PgConnection;

/// A character, as rules see it.
pub(crate) struct FoundCharacter {
    pub(crate) character_id: CharacterId,
    pub(crate) account_id: AccountId,
    pub(crate) name: String,
    pub(crate) level: i32,
    /// Whether a game server has named the account as its owner.
    pub(crate) is_confirmed: bool,
    /// Whether its player has requested its deletion.
    pub(crate) is_being_deleted: bool,
    /// Whether a game server has reported it as online, and its lease has not expired.
    pub(crate) online: bool,
    /// Its guild and its stored rank there, if it is a member of one.
    pub(crate) guild_id: Option<GuildId>,
    pub(crate) rank: Option<AssignableRank>,
}

/// Finds a character that is not deleted, by its id or by its name in any case.
///
/// It is locked for key share, so that no deletion misses what the rule stores about it. Other locks of a command are taken before
/// its rule.
pub(crate) async fn find(
    database: &mut PgConnection,
    character: &CharacterRef,
) -> sqlx::Result<Option<FoundCharacter>> {
    let (id, name) = match character {
        CharacterRef::Id(id) => (Some(id.get()), None),
        CharacterRef::Name(name) => (None, Some(name.key())),
    };
    sqlx::query_as!(
        FoundCharacter,
        r#"select character_id as "character_id: CharacterId", account_id as "account_id: AccountId", name, level,
                  confirmed_at is not null as "is_confirmed!", deletion_due_at is not null as "is_being_deleted!",
                  exists (select from game_servers where service_token_id = online_by and presence_until > now())
                      as "online!",
                  guild_id as "guild_id?: GuildId", rank as "rank?: AssignableRank"
           from characters left join guild_members using (character_id)
           where (character_id = $1 or name_key = $2) and deleted_at is null
           for key share of characters"#,
        id,
        name,
    )
    .fetch_optional(database)
    .await
}
