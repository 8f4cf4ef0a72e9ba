//! Gives a name to the character of the game, if a player has created a character with this name on the site.
//!
//! Anyone can create a character with the name of another player on the site. The game decides who owns the name.

use guildhall_common::contract::{
    account::AccountId, character::CharacterId, command::Failure, guild::guilds_key,
};

use crate::{
    character::reported::Reported,
    engine::{audit::Entry, context::Context},
    game,
};

const REASON: &str = "the game has given the name of the character to another account";

/// A character that its player has created, and that belongs to another account in the game.
struct Claimed {
    character_id: CharacterId,
    account_id: AccountId,
    name: String,
    owner_id: AccountId,
}

/// Renames the unconfirmed characters whose names belong to other accounts, and returns them. They keep their ids, guilds and history.
/// The caller invalidates their guilds.
pub(super) async fn rename_claimed(
    cx: &mut Context<'_>,
    reported: &Reported<'_>,
) -> Result<Vec<CharacterId>, Failure> {
    let claimed = find_claimed(cx, reported).await?;
    let renamed = claimed.iter().map(|claimed| claimed.character_id).collect();
    for claimed in claimed {
        let name = free_name(claimed.character_id);
        sqlx::query!(
            "update characters set name = $2, former_name = name, online = false, online_by = null
             where character_id = $1",
            claimed.character_id.get(),
            name,
        )
        .execute(&mut *cx.db)
        .await?;
        game::park_open(cx, claimed.character_id, REASON).await?;
        let Claimed { character_id, account_id, owner_id, name: former_name } = claimed;
        let mut details = serde_json::json!({
            "character_id": character_id, "account_id": account_id, "owner_id": owner_id
        });
        let mut entry = Entry::new("character.rename", details.clone());
        entry.add("name", Some(former_name.as_str().into()), Some(name.as_str().into()));
        cx.audit(entry).await?;
        details["former_name"] = former_name.into();
        details["name"] = name.into();
        cx.publish("character.renamed", &details);
        // The list of guilds shows the names of the leaders.
        cx.invalidate([guilds_key()]);
    }
    Ok(renamed)
}

/// The name of a character that has lost its own. No game allows a name of a word, a space and a number.
pub(super) fn free_name(character_id: CharacterId) -> String {
    format!("Renamed {character_id}")
}

async fn find_claimed(cx: &mut Context<'_>, reported: &Reported<'_>) -> sqlx::Result<Vec<Claimed>> {
    let (keys, owners): (Vec<String>, Vec<i64>) = reported
        .iter()
        .filter_map(|(key, reported)| Some((key.clone(), reported.character.account_id?.get())))
        .unzip();
    sqlx::query_as!(
        Claimed,
        r#"select character_id as "character_id: CharacterId", characters.account_id as "account_id: AccountId",
                  characters.name, owner.account_id as "owner_id: AccountId"
           from unnest($1::text[], $2::bigint[]) as reported (name_key, owner_id)
               join characters using (name_key)
               join accounts as owner on owner.account_id = owner_id
           where confirmed_at is null and characters.account_id <> owner_id and owner.deleted_at is null
           order by characters.name_key for update of characters"#,
        &keys,
        &owners,
    )
    .fetch_all(&mut *cx.db)
    .await
}
