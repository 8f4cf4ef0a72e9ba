//! Follows the names and owners of characters that the game identifies by ids of its own.

use guildhall_common::contract::{
    account::AccountId, character::CharacterId, command::Failure, guild::guilds_key,
};
use serde_json::json;

use crate::{
    character::{reported::Reported, take_over},
    engine::{audit::Entry, context::Context},
    game,
};

const REASON: &str = "the game has given the name of the character to another character";

/// A character that has another name in the game.
struct Renamed {
    character_id: CharacterId,
    account_id: AccountId,
    former_name: String,
    name: String,
}

/// A character whose name belongs to another character in the game.
struct NameHolder {
    character_id: CharacterId,
    account_id: AccountId,
    name: String,
    has_game_id: bool,
}

/// A character that has another owner in the game.
struct Sold {
    character_id: CharacterId,
    former_account_id: AccountId,
    account_id: AccountId,
}

/// Gives the characters the names that they have in the game, and returns all that it has renamed. A character that has lost its name
/// to another one gets a name of the site, until the game reports its new name or its deletion. The caller invalidates their guilds.
pub(super) async fn follow_names(
    cx: &mut Context<'_>,
    reported: &Reported<'_>,
) -> Result<Vec<CharacterId>, Failure> {
    let names: Vec<_> = reported.values().filter_map(|row| Some((row.game_id()?, &*row.name))).collect();
    if names.is_empty() {
        return Ok(vec![]);
    }
    let (ids, names): (Vec<String>, Vec<String>) =
        names.into_iter().map(|(id, name)| (id.to_owned(), name.to_owned())).unzip();
    let renamed = find_renamed(cx, &ids, &names).await?;
    let mut changed: Vec<_> = renamed.iter().map(|renamed| renamed.character_id).collect();
    let holders = find_holders(cx, &ids, &names, &changed).await?;
    // Names that the characters exchange are free before one is given.
    for character in renamed.iter().filter(|character| is_wanted(&character.former_name, &renamed)) {
        set_name(cx, character.character_id, &take_over::free_name(character.character_id)).await?;
    }
    for holder in holders {
        changed.push(holder.character_id);
        move_away(cx, holder).await?;
    }
    for Renamed { character_id, account_id, former_name, name } in renamed {
        set_name(cx, character_id, &name).await?;
        record(cx, character_id, account_id, &former_name, &name).await?;
    }
    Ok(changed)
}

/// Whether a character gets this name, which another one of them has.
fn is_wanted(former_name: &str, renamed: &[Renamed]) -> bool {
    renamed
        .iter()
        .any(|other| other.name.eq_ignore_ascii_case(former_name) && other.former_name != former_name)
}

async fn find_renamed(cx: &mut Context<'_>, ids: &[String], names: &[String]) -> sqlx::Result<Vec<Renamed>> {
    sqlx::query_as!(
        Renamed,
        r#"select character_id as "character_id: CharacterId", account_id as "account_id: AccountId",
                  characters.name as former_name, reported.name as "name!"
           from unnest($1::text[], $2::text[]) as reported (game_character_id, name)
               join characters using (game_character_id)
           where characters.name <> reported.name
           order by name_key for update of characters"#,
        ids,
        names,
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// The characters that have the names of others. A character without an id of the game keeps its name if the reported character may be
/// the same one: the site does not know that id yet.
async fn find_holders(
    cx: &mut Context<'_>,
    ids: &[String],
    names: &[String],
    renamed: &[CharacterId],
) -> sqlx::Result<Vec<NameHolder>> {
    sqlx::query_as!(
        NameHolder,
        r#"select character_id as "character_id: CharacterId", account_id as "account_id: AccountId",
                  characters.name, game_character_id is not null as "has_game_id!"
           from unnest($1::text[], $2::text[]) as reported (reported_id, name)
               join characters on name_key = lower(reported.name)
           where character_id <> all($3) and case
               when game_character_id is null
                   then exists (select from characters as known where known.game_character_id = reported_id)
               else game_character_id <> reported_id end
           order by name_key for update of characters"#,
        ids,
        names,
        renamed as _,
    )
    .fetch_all(&mut *cx.db)
    .await
}

/// Takes the name from a character. Without an id of the game, it is the player's again: no report can name it any more, and its open
/// deliveries are parked.
async fn move_away(cx: &mut Context<'_>, holder: NameHolder) -> Result<(), Failure> {
    let NameHolder { character_id, account_id, name: former_name, has_game_id } = holder;
    let name = take_over::free_name(character_id);
    sqlx::query!(
        "update characters
         set name = $2, former_name = name, online = false, online_by = null,
             confirmed_at = case when $3 then confirmed_at end
         where character_id = $1",
        character_id.get(),
        name,
        has_game_id,
    )
    .execute(&mut *cx.db)
    .await?;
    if !has_game_id {
        game::park_open(cx, character_id, REASON).await?;
    }
    record(cx, character_id, account_id, &former_name, &name).await
}

async fn set_name(cx: &mut Context<'_>, character_id: CharacterId, name: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "update characters set name = $2, former_name = null where character_id = $1",
        character_id.get(),
        name,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

async fn record(
    cx: &mut Context<'_>,
    character_id: CharacterId,
    account_id: AccountId,
    former_name: &str,
    name: &str,
) -> Result<(), Failure> {
    let details = json!({ "character_id": character_id, "account_id": account_id });
    let mut entry = Entry::new("character.rename", details);
    entry.add("name", Some(former_name.into()), Some(name.into()));
    cx.audit(entry).await?;
    let event = json!({ "character_id": character_id, "former_name": former_name, "name": name });
    cx.publish("character.renamed", &event);
    // The list of guilds shows the names of the leaders.
    cx.invalidate([guilds_key()]);
    Ok(())
}

/// Gives the characters to the accounts that own them in the game, and returns those characters. They keep their guilds and their
/// deliveries.
pub(super) async fn follow_owners(
    cx: &mut Context<'_>,
    reported: &Reported<'_>,
) -> Result<Vec<CharacterId>, Failure> {
    let owners: Vec<_> = reported
        .values()
        .filter_map(|row| Some((row.game_id()?.to_owned(), row.character.account_id?.get())))
        .collect();
    if owners.is_empty() {
        return Ok(vec![]);
    }
    let (ids, accounts): (Vec<String>, Vec<i64>) = owners.into_iter().unzip();
    // The deletion of an account waits for the lock of the character or has it, and looks for its owner again.
    let sold = sqlx::query!(
        r#"select character_id from unnest($1::text[], $2::bigint[]) as reported (game_character_id, owner_id)
               join characters using (game_character_id)
           where account_id <> owner_id order by name_key for no key update of characters"#,
        &ids,
        &accounts,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    if sold.is_empty() {
        return Ok(vec![]);
    }
    let sold = sqlx::query_as!(
        Sold,
        r#"with owners as (
               select account_id from accounts where account_id = any($2) and deleted_at is null
               order by account_id for key share
           ), sold as (
               select character_id, characters.account_id, owners.account_id as owner_id
               from unnest($1::text[], $2::bigint[]) as reported (game_character_id, owner_id)
                   join characters using (game_character_id) join owners on owners.account_id = owner_id
               where characters.account_id <> owner_id
           )
           update characters set account_id = owner_id from sold where characters.character_id = sold.character_id
           returning characters.character_id as "character_id: CharacterId",
                     sold.account_id as "former_account_id: AccountId", owner_id as "account_id: AccountId""#,
        &ids,
        &accounts,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let changed = sold.iter().map(|sold| sold.character_id).collect();
    for Sold { character_id, former_account_id, account_id } in sold {
        let details = json!({
            "character_id": character_id, "account_id": account_id, "former_account_id": former_account_id
        });
        // An entry for each account: the staff reads those about an account.
        let of_former = json!({ "character_id": character_id, "account_id": former_account_id });
        for details in [details.clone(), of_former] {
            cx.audit(Entry::new("character.change_owner", details)).await?;
        }
        cx.publish("character.owner_changed", &details);
    }
    Ok(changed)
}
