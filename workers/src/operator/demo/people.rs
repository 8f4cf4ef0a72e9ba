//! The characters, deaths and guilds of the demo community.

use guildhall_common::contract::{
    account::AccountId,
    character::CharacterId,
    guild::{AssignableRank, GuildId},
};
use sqlx::PgConnection;

use crate::operator::demo::names::{CREATURES, FIRST, GUILDS, LAST, VOCATIONS};

/// The last name of the player's own characters.
const PLAYER: &str = "Stormborn";

/// The members of each guild. The other characters have no guild.
const MEMBERS: usize = 12;

/// Inserts 400 characters: each first name with each last name. The player owns one family. The other accounts have a
/// password hash that no password matches.
pub(super) async fn insert_characters(database: &mut PgConnection, player: AccountId) -> anyhow::Result<()> {
    let others: Vec<String> = LAST.iter().map(|last| last.to_lowercase()).collect();
    let owners = sqlx::query_scalar!(
        "insert into accounts (name, email, password_hash)
         select name, name || '@example.org', '!' from unnest($1::text[]) as others (name)
         returning account_id",
        &others,
    )
    .fetch_all(&mut *database)
    .await?;
    let rows: Vec<_> = LAST
        .iter()
        .zip(owners)
        .enumerate()
        .flat_map(|(family, (last, owner))| {
            let owner = if *last == PLAYER { player.get() } else { owner };
            FIRST.iter().enumerate().map(move |(child, first)| character(family, last, owner, child, first))
        })
        .collect();
    sqlx::query!(
        "insert into characters (account_id, name, level, vocation, online, confirmed_at)
         select account_id, name, level, vocation, online, now()
         from jsonb_to_recordset($1) as rows (account_id bigint, name text, level int, vocation text, online bool)",
        serde_json::Value::Array(rows),
    )
    .execute(database)
    .await?;
    Ok(())
}

fn character(family: usize, last: &str, owner: i64, child: usize, first: &str) -> serde_json::Value {
    serde_json::json!({
        "account_id": owner,
        "name": format!("{first} {last}"),
        "level": 8 + (family * 37 + child * 53) % 292,
        "vocation": VOCATIONS[(family + child) % VOCATIONS.len()],
        "online": last != PLAYER && (family + child).is_multiple_of(7),
    })
}

/// Inserts 150 deaths in the last days. A player is the killer in every fifth one.
pub(super) async fn insert_deaths(database: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::query!(
        "with numbered as (
             select character_id, level, row_number() over (order by character_id) as number, count(*) over () as total
             from characters
         )
         insert into deaths (character_id, death_id, died_at, level, killed_by, killer_is_player, killer_id)
         select victims.character_id, 'demo:' || i, now() - i * interval '47 minutes',
                greatest(1, victims.level - i / 10), case when i % 5 <> 0 then ($1::text[])[1 + i % cardinality($1)] end, i % 5 = 0,
                case when i % 5 = 0 then killers.character_id end
         from generate_series(1, 150) as i
             join numbered as victims on victims.number = 1 + i * 83 % victims.total
             join numbered as killers on killers.number = 1 + (i * 83 + 7) % killers.total",
        &CREATURES.map(str::to_owned),
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Inserts twenty guilds. The player's characters lead all except the first guild, so one of them is free to create a guild.
pub(super) async fn insert_guilds(database: &mut PgConnection) -> anyhow::Result<()> {
    // The player's characters come first, then one of each family in turn.
    let ids = sqlx::query_scalar!(
        r#"select character_id as "character_id: CharacterId" from characters
           order by split_part(name, ' ', 2) <> 'Stormborn', split_part(name, ' ', 1), split_part(name, ' ', 2)"#
    )
    .fetch_all(&mut *database)
    .await?;
    let (leaders, others) = ids.split_at(GUILDS.len());
    let groups = others.chunks(MEMBERS - 1);
    for (number, ((guild, leader), members)) in GUILDS.iter().zip(leaders).zip(groups).enumerate() {
        let leader = if number == 0 { members[0] } else { *leader };
        insert_guild(database, *guild, leader, members).await?;
    }
    Ok(())
}

async fn insert_guild(
    database: &mut PgConnection,
    (name, motd, description): (&str, &str, &str),
    leader: CharacterId,
    members: &[CharacterId],
) -> anyhow::Result<()> {
    let guild_id = sqlx::query_scalar!(
        r#"insert into guilds (name, leader_id, motd, description) values ($1, $2, $3, $4)
           returning guild_id as "guild_id: GuildId""#,
        name,
        leader.get(),
        motd,
        description,
    )
    .fetch_one(&mut *database)
    .await?;
    let mut members: Vec<i64> = std::iter::once(&leader).chain(members).map(|id| id.get()).collect();
    members.dedup();
    // Besides the leader there are two vice-leaders.
    sqlx::query!(
        "insert into guild_members (character_id, guild_id, rank)
         select character_id, $2, case when position <= 3 then $3::smallint else $4::smallint end
         from unnest($1::bigint[]) with ordinality as members (character_id, position)",
        &members,
        guild_id.get(),
        AssignableRank::ViceLeader as _,
        AssignableRank::Member as _,
    )
    .execute(database)
    .await?;
    Ok(())
}
