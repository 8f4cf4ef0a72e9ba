//! Creates and updates the characters that a game server reports.

use std::collections::BTreeMap;

use guildhall_common::contract::{
    command::Failure,
    game::{CharactersUpserted, GameCharacter, UpsertCharacters},
    guild::{free_characters_key, guild_key},
};

use crate::engine::rule::{Context, Rule};

/// Reported characters by the key of their name.
type Reported<'a> = BTreeMap<String, &'a GameCharacter>;

impl Rule for UpsertCharacters {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharactersUpserted, Failure> {
        // The last report of a character is used. The order of the keys makes two game servers lock the same characters
        // in the same order.
        let mut reported: Reported<'_> =
            self.characters.iter().map(|character| (character.name.key(), character)).collect();
        let updated = update(cx, &reported).await?;
        let keys: Vec<String> = reported.keys().cloned().collect();
        let known = sqlx::query_scalar!("select name_key from characters where name_key = any($1)", &keys)
            .fetch_all(&mut *cx.db)
            .await?;
        for key in &known {
            reported.remove(key);
        }
        let created = create(cx, &reported).await?;
        for key in &created {
            reported.remove(key);
        }
        Ok(CharactersUpserted {
            created: created.len() as i64,
            updated: updated as i64,
            unchanged: (known.len() - updated) as i64,
            skipped: reported.values().map(|character| character.name.to_string()).collect(),
        })
    }
}

/// Updates the characters that differ and returns their number. It never writes the name: that would lock the memberships,
/// which refer to the character.
async fn update(cx: &mut Context<'_>, reported: &Reported<'_>) -> Result<usize, Failure> {
    let keys: Vec<String> = reported.keys().cloned().collect();
    let levels: Vec<i32> = reported.values().map(|character| character.level.get()).collect();
    let vocations: Vec<String> = reported.values().map(|character| character.vocation.to_string()).collect();
    let online: Vec<bool> = reported.values().map(|character| character.online).collect();
    let updated = sqlx::query_scalar!(
        "with differing as (
             select character_id, reported.* from characters
             join unnest($1::text[], $2::int[], $3::text[], $4::bool[])
                 as reported (name_key, new_level, new_vocation, new_online) using (name_key)
             where (level, vocation, online) is distinct from (new_level, new_vocation, new_online)
             order by name_key for no key update of characters
         )
         update characters set level = new_level, vocation = new_vocation, online = new_online
         from differing where characters.character_id = differing.character_id
         returning characters.character_id",
        &keys,
        &levels,
        &vocations,
        &online,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    if updated.is_empty() {
        return Ok(0);
    }
    // A separate statement: it sees memberships that were committed while the update waited for locks.
    let guilds = sqlx::query_scalar!(
        "select distinct guilds.name from guild_members join guilds using (guild_id) where character_id = any($1)",
        &updated,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    cx.invalidate(guilds.iter().map(|name| guild_key(name)).chain([free_characters_key()]));
    Ok(updated.len())
}

/// Creates the characters whose account exists, and returns their keys.
async fn create(cx: &mut Context<'_>, reported: &Reported<'_>) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = reported.values().map(|character| character.name.to_string()).collect();
    let levels: Vec<i32> = reported.values().map(|character| character.level.get()).collect();
    let vocations: Vec<String> = reported.values().map(|character| character.vocation.to_string()).collect();
    let online: Vec<bool> = reported.values().map(|character| character.online).collect();
    let accounts: Vec<Option<i64>> =
        reported.values().map(|character| character.account_id.map(|id| id.get())).collect();
    let created = sqlx::query_scalar!(
        r#"insert into characters (account_id, name, level, vocation, online)
           select account_id, name, level, vocation, online
           from unnest($1::text[], $2::int[], $3::text[], $4::bool[], $5::bigint[])
               as reported (name, level, vocation, online, account_id)
           where exists (select from accounts where accounts.account_id = reported.account_id)
           on conflict (name_key) do nothing
           returning name_key as "name_key!""#,
        &names,
        &levels,
        &vocations,
        &online,
        &accounts as &[Option<i64>],
    )
    .fetch_all(&mut *cx.db)
    .await?;
    if !created.is_empty() {
        cx.invalidate([free_characters_key()]);
    }
    Ok(created)
}
