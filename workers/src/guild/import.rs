//! Creates the guilds of a game whose community moves to the site.

use std::iter;

use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    game::{
        GameCharacterId, GameGuild, GameGuildMember, GuildsImported, ImportGuilds, ImportedGuild,
        MemberSkipReason, SkippedGuild, SkippedMember,
    },
    guild::{AssignableRank, GuildCreated, GuildId, GuildName, Motd, Nick},
    readable,
};

use crate::{
    engine::{context::Context, rule::Rule},
    game,
    guild::membership,
};

/// The names that are tried for one guild.
const MAX_NAMES: usize = 100;

/// The longest name that gets a number behind it.
const LONGEST_BASE: usize = 26;

/// The longest message of the day.
const LONGEST_MOTD: usize = 255;

impl Rule for ImportGuilds {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildsImported, Failure> {
        game::require_import(cx).await?;
        let (mut guilds, mut skipped) = (vec![], vec![]);
        for guild in &self.guilds {
            if let Some(found) = find(cx, guild).await? {
                guilds.push(found);
                continue;
            }
            match free_character(cx, &guild.leader).await? {
                Ok(leader) => guilds.push(create(cx, guild, leader).await?),
                Err(reason) => {
                    skipped.push(SkippedGuild { game_guild_id: guild.game_guild_id.clone(), reason });
                }
            }
        }
        Ok(GuildsImported { guilds, skipped })
    }
}

/// The guild that was imported before.
async fn find(cx: &mut Context<'_>, guild: &GameGuild) -> sqlx::Result<Option<ImportedGuild>> {
    let found = sqlx::query!(
        r#"select guild_id as "guild_id: GuildId", name from imported_guilds join guilds using (guild_id)
           where game_guild_id = $1"#,
        &*guild.game_guild_id,
    );
    Ok(found.fetch_optional(&mut *cx.db).await?.map(|row| ImportedGuild {
        game_guild_id: guild.game_guild_id.clone(),
        guild_id: row.guild_id,
        name: row.name,
        created: false,
        skipped: vec![],
    }))
}

/// Locks a confirmed character that is in no guild.
async fn free_character(
    cx: &mut Context<'_>,
    id: &GameCharacterId,
) -> sqlx::Result<Result<CharacterId, MemberSkipReason>> {
    let found = sqlx::query!(
        r#"select character_id as "character_id: CharacterId",
                  exists (select from guild_members where guild_members.character_id = characters.character_id)
                      as "is_member!"
           from characters
           where game_character_id = $1 and confirmed_at is not null and deleted_at is null for no key update"#,
        &**id,
    );
    Ok(match found.fetch_optional(&mut *cx.db).await? {
        None => Err(MemberSkipReason::CharacterNotFound),
        Some(row) if row.is_member => Err(MemberSkipReason::AlreadyInGuild),
        Some(row) => Ok(row.character_id),
    })
}

/// Creates a guild with the name of the game, or with a similar one.
async fn create(
    cx: &mut Context<'_>,
    guild: &GameGuild,
    leader: CharacterId,
) -> Result<ImportedGuild, Failure> {
    for name in names(&guild.name) {
        let guild_id = sqlx::query_scalar!(
            r#"insert into guilds (name, leader_id, motd, created_at)
               values ($1, $2, $3, least($4::timestamptz, $5::timestamptz))
               on conflict on constraint guilds_name_unique do nothing returning guild_id as "guild_id: GuildId""#,
            name,
            leader.get(),
            motd(guild),
            guild.created_at.map(|time| time.0),
            cx.now,
        );
        let Some(guild_id) = guild_id.fetch_optional(&mut *cx.db).await? else { continue };
        // A guild that was deleted on the site may be imported again.
        sqlx::query!(
            "insert into imported_guilds (game_guild_id, guild_id) values ($1, $2)
             on conflict (game_guild_id) do update set guild_id = excluded.guild_id",
            &*guild.game_guild_id,
            guild_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        // The stored rank of a leader is vice-leader: it applies after the leadership is passed on.
        membership::join(cx, guild_id, leader, AssignableRank::ViceLeader).await?;
        let skipped = add_members(cx, guild_id, guild, leader).await?;
        cx.invalidate_guild(&name);
        cx.publish("guild.created", &GuildCreated { guild_id, name: name.clone(), leader_id: leader });
        let game_guild_id = guild.game_guild_id.clone();
        return Ok(ImportedGuild { game_guild_id, guild_id, name, created: true, skipped });
    }
    Err(sqlx::Error::InvalidArgument(format!("no name is free like {}", &*guild.name)).into())
}

/// Adds the members, and returns the characters that did not become members.
async fn add_members(
    cx: &mut Context<'_>,
    guild_id: GuildId,
    guild: &GameGuild,
    leader: CharacterId,
) -> sqlx::Result<Vec<SkippedMember>> {
    let mut skipped = vec![];
    for GameGuildMember { game_character_id, rank, nick } in &guild.members {
        let nick = nick.as_deref().and_then(|nick| nick.parse::<Nick>().ok());
        match free_character(cx, game_character_id).await? {
            Ok(character_id) => {
                membership::join(cx, guild_id, character_id, *rank).await?;
                set_nick(cx, character_id, nick).await?;
            }
            Err(_) if *game_character_id == guild.leader => set_nick(cx, leader, nick).await?,
            Err(reason) => {
                skipped.push(SkippedMember { game_character_id: game_character_id.clone(), reason });
            }
        }
    }
    Ok(skipped)
}

async fn set_nick(cx: &mut Context<'_>, character_id: CharacterId, nick: Option<Nick>) -> sqlx::Result<()> {
    let Some(nick) = nick.filter(|nick| !nick.is_empty() && readable::check(nick).is_ok()) else {
        return Ok(());
    };
    sqlx::query!("update guild_members set nick = $2 where character_id = $1", character_id.get(), &*nick)
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}

/// The message of the day as one line. Empty: the site does not allow it.
fn motd(guild: &GameGuild) -> String {
    let motd = guild.motd.as_deref().unwrap_or_default();
    let line: String = motd.split(['\r', '\n', '\t']).collect::<Vec<_>>().join(" ");
    let line: String = line.chars().take(LONGEST_MOTD).collect();
    let is_allowed = readable::check(&line).is_ok() && line.parse::<Motd>().is_ok();
    if is_allowed { line } else { String::new() }
}

/// The names that a guild may get, the best first.
fn names(game_name: &str) -> impl Iterator<Item = String> {
    let words = game_name.split(|char: char| !char.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: String = words.collect::<Vec<_>>().join(" ").chars().take(LONGEST_BASE).collect();
    let words = words.trim_end();
    let base = if words.len() < 3 { format!("Guild {words}") } else { words.to_owned() };
    let base = base.trim_end().to_owned();
    let own = game_name.parse::<GuildName>().ok().map(String::from);
    let numbered = (2..=MAX_NAMES).map({
        let base = base.clone();
        move |number| format!("{base} {number}")
    });
    own.into_iter().chain(iter::once(base)).chain(numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_guild_gets_a_name_that_the_site_allows() {
        for (game_name, first) in [
            ("Night Watch", "Night Watch"),
            ("[Elite] of *Antica*", "Elite of Antica"),
            ("X", "Guild X"),
            ("\u{2605}\u{2605}\u{2605}", "Guild"),
            ("Lords of the very long and winding road", "Lords of the very long and"),
        ] {
            let names: Vec<String> = names(game_name).take(3).collect();
            assert_eq!(names[0], first);
            for name in names {
                name.parse::<GuildName>().unwrap_or_else(|error| panic!("{name}: {error}"));
            }
        }
        let longest = names(&"x".repeat(255)).last().unwrap();
        longest.parse::<GuildName>().unwrap();
    }
}
