//! Stores the deaths that a game server reports, and forgets those of deleted characters.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    game::{DeathSkipReason, DeathsReported, ReportDeaths, ReportedDeath, SkippedDeath},
    readable,
    value_types::trimmed,
};

use crate::{
    engine::{context::Context, rule::Rule},
    game,
};

/// How far the clock of a game server may be ahead.
const MAX_CLOCK_LEAD: TimeDelta = TimeDelta::minutes(5);

impl Rule for ReportDeaths {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<DeathsReported, Failure> {
        game::renew_presence(cx).await?;
        let found = find_characters(cx, &self.deaths).await?;
        let latest = cx.now + MAX_CLOCK_LEAD;
        let mut columns = DeathColumns::default();
        let mut skipped = vec![];
        for death in &self.deaths {
            let reason = match found.get(&key(&death.character_name)) {
                None => DeathSkipReason::CharacterNotFound,
                Some(character) if !character.is_confirmed => DeathSkipReason::NotConfirmed,
                Some(_) if death.died_at.0 > latest => DeathSkipReason::InFuture,
                Some(_) if !has_killer(death) => DeathSkipReason::KillerMissing,
                Some(character) => {
                    columns.push(death, character.character_id, &found);
                    continue;
                }
            };
            skipped.push(SkippedDeath { death_id: death.death_id.clone(), reason });
        }
        let created = store(cx, &columns).await?;
        Ok(DeathsReported { created, unchanged: columns.characters.len() as i64 - created, skipped })
    }
}

/// A character that died or killed.
struct Participant {
    character_id: CharacterId,
    is_confirmed: bool,
}

fn has_killer(death: &ReportedDeath) -> bool {
    !death.killed_by.is_empty() && readable::check(&death.killed_by).is_ok()
}

/// The key of a name, which may have more characters than the names of the site.
fn key(name: &str) -> String {
    trimmed(name).to_ascii_lowercase()
}

/// Finds the characters that died, and those that killed them, by the keys of their names.
///
/// They are locked, so that no deletion misses a new death. Reports of characters do not wait for these locks.
async fn find_characters(
    cx: &mut Context<'_>,
    deaths: &[ReportedDeath],
) -> sqlx::Result<BTreeMap<String, Participant>> {
    let killers = deaths.iter().filter(|death| death.killer_is_player).map(|death| key(&death.killed_by));
    let keys: BTreeSet<String> =
        deaths.iter().map(|death| key(&death.character_name)).chain(killers).collect();
    let keys: Vec<String> = keys.into_iter().collect();
    let rows = sqlx::query!(
        r#"select name_key as "name_key!", character_id as "character_id: CharacterId",
                  confirmed_at is not null as "is_confirmed!"
           from characters where name_key = any($1) and deleted_at is null
           order by name_key for key share"#,
        &keys,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let participant = |character_id, is_confirmed| Participant { character_id, is_confirmed };
    Ok(rows.into_iter().map(|row| (row.name_key, participant(row.character_id, row.is_confirmed))).collect())
}

/// Deaths as columns for `unnest`.
#[derive(Default)]
struct DeathColumns {
    characters: Vec<i64>,
    death_ids: Vec<String>,
    times: Vec<DateTime<Utc>>,
    levels: Vec<i32>,
    /// None if a player is the killer.
    killed_by: Vec<Option<String>>,
    killers: Vec<Option<i64>>,
}

impl DeathColumns {
    fn push(
        &mut self,
        death: &ReportedDeath,
        character_id: CharacterId,
        found: &BTreeMap<String, Participant>,
    ) {
        let is_player = death.killer_is_player;
        let killer = found.get(&key(&death.killed_by)).filter(|killer| is_player && killer.is_confirmed);
        self.characters.push(character_id.get());
        self.death_ids.push(death.death_id.to_string());
        self.times.push(death.died_at.0);
        self.levels.push(death.level.get());
        self.killed_by.push((!is_player).then(|| death.killed_by.to_string()));
        self.killers.push(killer.map(|killer| killer.character_id.get()));
    }
}

/// Inserts the deaths that are not stored yet, and returns their number.
async fn store(cx: &mut Context<'_>, columns: &DeathColumns) -> sqlx::Result<i64> {
    let DeathColumns { characters, death_ids, times, levels, killed_by, killers } = columns;
    let created = sqlx::query!(
        "insert into deaths (character_id, death_id, died_at, level, killed_by, killer_is_player, killer_id)
         select character_id, death_id, died_at, level, killed_by, killed_by is null, killer_id
         from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::int[], $5::text[], $6::bigint[])
             with ordinality as reported (character_id, death_id, died_at, level, killed_by, killer_id, number)
         order by character_id, death_id, number
         on conflict (character_id, death_id) do nothing",
        characters,
        death_ids,
        times,
        levels,
        killed_by as &[Option<String>],
        killers as &[Option<i64>],
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(created.rows_affected() as i64)
}

/// Deletes the deaths of a character, and its name from the deaths that it caused.
pub(super) async fn forget(cx: &mut Context<'_>, character_id: CharacterId) -> sqlx::Result<()> {
    sqlx::query!(
        "with own as (delete from deaths where character_id = $1)
         update deaths set killer_id = null where killer_id = $1 and character_id <> $1",
        character_id.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}
