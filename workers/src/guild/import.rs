//! Creates the guilds of a game whose community moves to the site.

use std::collections::HashMap;

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
    let ids: Vec<String> = guild.members.iter().map(|member| member.game_character_id.to_string()).collect();
    let ranks: Vec<AssignableRank> = guild.members.iter().map(|member| member.rank).collect();
    let nicks: Vec<String> = guild.members.iter().map(nick).collect();
    // If a character occurs twice, the first one is used.
    sqlx::query!(
        "with reported as (
             select distinct on (game_character_id) game_character_id, rank, nick
             from unnest($2::text[], $3::smallint[], $4::text[]) with ordinality
                 as listed (game_character_id, rank, nick, number)
             order by game_character_id, number
         ), found as (
             select character_id, rank, nick from reported join characters using (game_character_id)
             where confirmed_at is not null and deleted_at is null
             order by name_key for no key update of characters
         ), of_leader as (
             update guild_members set nick = found.nick from found
             where found.character_id = $5 and guild_members.character_id = $5
         ), joined as (
             insert into guild_members (character_id, guild_id, rank, nick)
             select character_id, $1, rank, nick from found on conflict (character_id) do nothing
             returning character_id
         )
         delete from guild_invites using joined where guild_invites.character_id = joined.character_id",
        guild_id.get(),
        &ids,
        &ranks as _,
        &nicks,
        leader.get(),
    )
    .execute(&mut *cx.db)
    .await?;
    skipped_members(cx, guild_id, &ids, guild).await
}

/// The characters that are not in the guild, with the reasons.
async fn skipped_members(
    cx: &mut Context<'_>,
    guild_id: GuildId,
    ids: &[String],
    guild: &GameGuild,
) -> sqlx::Result<Vec<SkippedMember>> {
    let found = sqlx::query!(
        r#"select game_character_id as "game_character_id!", guild_id is not distinct from $1 as "is_member!"
           from characters left join guild_members using (character_id)
           where game_character_id = any($2) and confirmed_at is not null and deleted_at is null"#,
        guild_id.get(),
        ids,
    )
    .fetch_all(&mut *cx.db)
    .await?;
    let is_member: HashMap<&str, bool> =
        found.iter().map(|row| (&*row.game_character_id, row.is_member)).collect();
    let skipped = guild.members.iter().filter_map(|member| {
        let reason = match is_member.get(&*member.game_character_id) {
            Some(true) => return None,
            Some(false) => MemberSkipReason::AlreadyInGuild,
            None => MemberSkipReason::CharacterNotFound,
        };
        Some(SkippedMember { game_character_id: member.game_character_id.clone(), reason })
    });
    Ok(skipped.collect())
}

/// The nick on the site. Empty: the member has none, or one that the site does not allow.
fn nick(member: &GameGuildMember) -> String {
    let nick = member.nick.as_deref().and_then(|nick| nick.parse::<Nick>().ok());
    nick.filter(|nick| readable::check(nick).is_ok()).map(String::from).unwrap_or_default()
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
    game::similar_names(own, base, ' ')
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
