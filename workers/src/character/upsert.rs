//! Creates and updates the characters that a game server reports.

use std::collections::{BTreeMap, BTreeSet};

use guildhall_common::contract::{
    actor::ServiceTokenId,
    character::{CharacterId, CharacterName},
    command::Failure,
    game::{CharactersUpserted, GameCharacter, SkipReason, SkippedCharacter, UpsertCharacters},
    guild::guild_key,
    readable,
};

use crate::{
    character::{
        game_identity,
        reported::{CharacterColumns, Reported, ReportedCharacter},
        snapshot, take_over,
    },
    engine::{context::Context, rule::Rule},
    game,
};

impl Rule for UpsertCharacters {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharactersUpserted, Failure> {
        let server = game::renew_presence(cx).await?;
        // The last report of a character is used. The order of the keys makes two game servers lock the same characters
        // in the same order.
        let mut reported = Reported::new();
        let mut skipped = vec![];
        for character in &self.characters {
            let name = cx.settings.characters.names.parse(&character.name);
            match parse(character, name) {
                Ok(parsed) => {
                    // A game id has one name.
                    reported
                        .retain(|_, other| parsed.game_id().is_none() || other.game_id() != parsed.game_id());
                    reported.insert(parsed.name.key(), parsed);
                }
                Err(reason) => skipped.push(skip(character, reason)),
            }
        }
        let mut changed = game_identity::follow_names(cx, &reported).await?;
        changed.extend(game_identity::follow_owners(cx, &reported).await?);
        changed.extend(take_over::rename_claimed(cx, &reported).await?);
        let columns = CharacterColumns::of(&reported);
        let world = self.world.as_deref();
        changed.extend(update(cx, server, &columns, world).await?);
        let created = create(cx, server, &columns, world).await?;
        let others = reported.iter().filter(|(key, _)| !created.contains(*key));
        let (stored, not_stored) = check_owners(cx, others).await?;
        skipped.extend(not_stored);
        let updated = stored.iter().filter(|id| changed.contains(id)).count();
        match self.snapshot_id {
            Some(snapshot_id) => changed
                .extend(snapshot::store_part(cx, server, snapshot_id, &reported, self.last_part).await?),
            None => snapshot::add_to_open(cx, server, &reported).await?,
        }
        invalidate(cx, &changed).await?;
        Ok(CharactersUpserted {
            created: created.len() as i64,
            updated: updated as i64,
            unchanged: (stored.len() - updated) as i64,
            skipped,
        })
    }
}

/// The character with its name and its vocation, if the site allows both.
fn parse(
    character: &GameCharacter,
    name: Option<CharacterName>,
) -> Result<ReportedCharacter<'_>, SkipReason> {
    let name = name.ok_or(SkipReason::NameNotAllowed)?;
    readable::check(&character.vocation).map_err(|_| SkipReason::VocationNotAllowed)?;
    let vocation = character.vocation.parse().map_err(|_| SkipReason::VocationNotAllowed)?;
    Ok(ReportedCharacter { name, vocation, character })
}

fn skip(character: &GameCharacter, reason: SkipReason) -> SkippedCharacter {
    SkippedCharacter { name: character.name.to_string(), reason }
}

/// Updates the characters that differ, and confirms those of their reported account. The game owns them from now on, so their
/// players cannot delete them any more. It never writes the name: that would lock
/// the memberships, which refer to the character.
async fn update(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    CharacterColumns { keys, levels, vocations, online, accounts, game_ids, .. }: &CharacterColumns,
    world: Option<&str>,
) -> Result<Vec<CharacterId>, Failure> {
    let updated = sqlx::query!(
        r#"with differing as (
               select character_id, confirmed_at is null as is_new, reported.* from characters
               join unnest($1::text[], $2::int[], $3::text[], $4::bool[], $5::bigint[], $8::text[])
                   as reported (name_key, new_level, new_vocation, new_online, owner_id, new_game_id) using (name_key)
               where (owner_id = account_id or (owner_id is null and confirmed_at is not null))
                   and ((level, vocation, online, online_by)
                        is distinct from (new_level, new_vocation, new_online, case when new_online then $6::bigint end)
                        or (game_character_id, world)
                        is distinct from (coalesce(new_game_id, game_character_id), coalesce($9, world))
                        or confirmed_at is null)
               order by name_key for no key update of characters
           )
           update characters
           set level = new_level, vocation = new_vocation, online = new_online,
               online_by = case when new_online then $6::bigint end, confirmed_at = coalesce(confirmed_at, $7),
               game_character_id = coalesce(new_game_id, characters.game_character_id),
               world = coalesce($9, characters.world), deletion_due_at = null
           from differing where characters.character_id = differing.character_id
           returning characters.character_id as "character_id: CharacterId", account_id, is_new as "is_new!""#,
        keys,
        levels,
        vocations,
        online,
        accounts as &[Option<i64>],
        server.get(),
        cx.now,
        game_ids as &[Option<String>],
        world,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    for row in updated.iter().filter(|row| row.is_new) {
        let event = serde_json::json!({ "character_id": row.character_id, "account_id": row.account_id });
        cx.publish("character.confirmed", &event);
    }
    Ok(updated.iter().map(|row| row.character_id).collect())
}

/// Creates the characters whose account exists, and returns their keys. The deletion of an account waits for the lock, and finds
/// them.
async fn create(
    cx: &mut Context<'_>,
    server: ServiceTokenId,
    CharacterColumns { names, levels, vocations, online, accounts, game_ids, .. }: &CharacterColumns,
    world: Option<&str>,
) -> Result<BTreeSet<String>, Failure> {
    let created = sqlx::query_scalar!(
        r#"with owners as (
               select account_id from accounts where account_id = any($5) and deleted_at is null
               order by account_id for key share
           )
           insert into characters (account_id, name, level, vocation, online, online_by, confirmed_at, game_character_id, world)
           select account_id, name, level, vocation, online, case when online then $6::bigint end, $7, game_id, $9
           from unnest($1::text[], $2::int[], $3::text[], $4::bool[], $5::bigint[], $8::text[])
               as reported (name, level, vocation, online, account_id, game_id)
           where account_id in (select account_id from owners)
               and not exists (select from characters where name_key = lower(reported.name))
           on conflict (name_key) do nothing
           returning name_key as "name_key!""#,
        names,
        levels,
        vocations,
        online,
        accounts as &[Option<i64>],
        server.get(),
        cx.now,
        game_ids as &[Option<String>],
        world,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    Ok(created.into_iter().collect())
}

/// The characters that are stored, and those that are not with the reason.
async fn check_owners<'a>(
    cx: &mut Context<'_>,
    characters: impl Iterator<Item = (&'a String, &'a ReportedCharacter<'a>)>,
) -> Result<(Vec<CharacterId>, Vec<SkippedCharacter>), Failure> {
    let (keys, characters): (Vec<String>, Vec<&GameCharacter>) =
        characters.map(|(key, reported)| (key.clone(), reported.character)).unzip();
    let stored = sqlx::query!(
        r#"select name_key as "name_key!", character_id as "character_id: CharacterId", account_id,
                  confirmed_at is not null as "is_confirmed!", game_character_id
           from characters where name_key = any($1)"#,
        &keys,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let stored: BTreeMap<_, _> = stored.into_iter().map(|row| (row.name_key.clone(), row)).collect();
    let (mut reported, mut skipped) = (vec![], vec![]);
    for (key, character) in keys.iter().zip(&characters) {
        // With its id, a character gets each owner that exists.
        let game_id = character.game_character_id.as_deref();
        let is_identified = |stored: Option<&str>| game_id.is_some() && stored == game_id;
        let reason = match (stored.get(key), character.account_id) {
            (None, None) => SkipReason::AccountMissing,
            (None, Some(_)) => SkipReason::AccountNotFound,
            (Some(row), None) if row.is_confirmed => {
                reported.push(row.character_id);
                continue;
            }
            (Some(_), None) => SkipReason::NotConfirmed,
            (Some(row), Some(owner)) if row.account_id == owner.get() => {
                reported.push(row.character_id);
                continue;
            }
            (Some(row), Some(_)) if row.is_confirmed && !is_identified(row.game_character_id.as_deref()) => {
                SkipReason::OtherOwner
            }
            (Some(_), Some(_)) => SkipReason::AccountNotFound,
        };
        skipped.push(skip(character, reason));
    }
    Ok((reported, skipped))
}

/// Invalidates everything that shows these characters.
async fn invalidate(cx: &mut Context<'_>, characters: &[CharacterId]) -> Result<(), Failure> {
    if characters.is_empty() {
        return Ok(());
    }
    // A separate statement: it sees memberships that were committed while the update waited for locks.
    let guilds = sqlx::query_scalar!(
        "select distinct guilds.name from guild_members join guilds using (guild_id) where character_id = any($1)",
        characters as _,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    cx.invalidate(guilds.iter().map(|name| guild_key(name)));
    Ok(())
}
