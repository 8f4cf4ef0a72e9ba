//! A demo community, to look at and to try things on.

use std::{collections::HashMap, fmt::Write};

use anyhow::Context;
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        coins::packages_key,
        guild::{free_characters_key, guilds_key},
        news::news_key,
        shop::shop_key,
    },
    money::{Currency, Money},
    platform::db,
};
use sqlx::PgConnection;

use crate::{
    app::App,
    jobs::{self, Job},
    operator::{
        accounts::{self, GivenRole},
        price_list::insert_package,
    },
};

const FIRST: [&str; 20] = [
    "Alda", "Bram", "Cira", "Doran", "Elva", "Falk", "Gerda", "Hale", "Isa", "Joris", "Kaia", "Lorn", "Mira",
    "Nils", "Orla", "Perrin", "Runa", "Sten", "Tova", "Ulf",
];
const LAST: [&str; 20] = [
    "Ashwood",
    "Blackwater",
    "Coldspring",
    "Duskwalker",
    "Emberhand",
    "Frostmane",
    "Greycloak",
    "Hollowhill",
    "Ironwood",
    "Kestrel",
    "Longstride",
    "Moonfall",
    "Nightbreeze",
    "Oakshield",
    "Ravenlock",
    "Stormborn",
    "Thornfield",
    "Underhill",
    "Winterborn",
    "Yarrow",
];
const GUILDS: [&str; 20] = [
    "Amber Circle",
    "Black Lanterns",
    "Crown Guard",
    "Dawn Riders",
    "Eastern Light",
    "Forest Wardens",
    "Golden Anchor",
    "Hill Smiths",
    "Iron Oath",
    "Jade Serpents",
    "Knights of Ash",
    "Lost Compass",
    "Moon Court",
    "Night Watch",
    "Old Ravens",
    "Pale Wolves",
    "Quiet Blades",
    "River Kings",
    "Silver Tide",
    "Thunder Choir",
];
const VOCATIONS: [&str; 4] = ["Knight", "Paladin", "Sorcerer", "Druid"];

/// Who can sign in: what they are, their name, their roles.
const PEOPLE: [(&str, &str, &[GivenRole]); 4] = [
    ("admin", "admin", &[GivenRole::Admin]),
    ("editor", "nora", &[GivenRole::Editor]),
    ("merchant", "odo", &[GivenRole::Merchant]),
    ("player", "mira", &[]),
];

/// Members of each guild; the rest of the characters are free.
const MEMBERS: usize = 12;

/// Loads the community, if it is not there yet; answers what to sign in with.
///
/// # Errors
/// When something else than the demo is in the database, or the database fails.
pub async fn load(site: &App) -> anyhow::Result<Option<String>> {
    let mut transaction = db::begin(&site.database).await?;
    let accounts = sqlx::query_scalar!(r#"select count(*) as "count!" from accounts"#)
        .fetch_one(&mut *transaction)
        .await?;
    if accounts > 0 {
        return Ok(None);
    }
    let mut credentials = String::new();
    let mut people = HashMap::new();
    for (who, name, roles) in PEOPLE {
        let password = accounts::random_secret();
        people.insert(who, account(&mut transaction, name, &password, roles).await?);
        writeln!(credentials, "{who} {name} {password}")?;
    }
    characters(&mut transaction, people["player"]).await?;
    guilds(&mut transaction).await?;
    shop(&mut transaction).await?;
    prices(&mut transaction).await?;
    posts(&mut transaction, people["editor"]).await?;
    let token = accounts::create_service_token(&mut transaction, "demo-game-server").await?;
    writeln!(credentials, "game demo-game-server {token}")?;
    transaction.commit().await?;
    let stale: [CacheKey; 5] = [guilds_key(), free_characters_key(), shop_key(), packages_key(), news_key()];
    site.cache.invalidate_or_suspend(&site.database, &stale).await?;
    Ok(Some(credentials))
}

async fn account(
    database: &mut PgConnection,
    name: &str,
    password: &str,
    roles: &[GivenRole],
) -> anyhow::Result<i64> {
    let email = format!("{name}@example.org").parse().map_err(anyhow::Error::msg)?;
    let name = name.parse().map_err(anyhow::Error::msg)?;
    accounts::create_account(database, &name, &email, password, roles).await
}

/// 400 characters: every first name with every last name. The Stormborns are the player's own;
/// the others' accounts have no password that would fit.
async fn characters(database: &mut PgConnection, player: i64) -> anyhow::Result<()> {
    let others: Vec<String> = LAST.iter().map(|last| last.to_lowercase()).collect();
    let owners = sqlx::query!(
        "insert into accounts (name, email, password_hash)
         select name, name || '@example.org', '!' from unnest($1::text[]) as others (name)
         returning account_id",
        &others,
    )
    .fetch_all(&mut *database)
    .await?;
    let mut rows: Vec<(i64, String, i32, &str, bool)> = Vec::new();
    for (family, last) in LAST.iter().enumerate() {
        let owner = if *last == "Stormborn" { player } else { owners[family].account_id };
        for (child, first) in FIRST.iter().enumerate() {
            let level = 8 + ((family * 37 + child * 53) % 292) as i32;
            let online = *last != "Stormborn" && (family + child) % 7 == 0;
            rows.push((
                owner,
                format!("{first} {last}"),
                level,
                VOCATIONS[(family + child) % VOCATIONS.len()],
                online,
            ));
        }
    }
    let owners: Vec<i64> = rows.iter().map(|row| row.0).collect();
    let names: Vec<String> = rows.iter().map(|row| row.1.clone()).collect();
    let levels: Vec<i32> = rows.iter().map(|row| row.2).collect();
    let vocations: Vec<String> = rows.iter().map(|row| row.3.to_owned()).collect();
    let online: Vec<bool> = rows.iter().map(|row| row.4).collect();
    sqlx::query!(
        "insert into characters (account_id, name, level, vocation, online)
         select * from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::bool[])",
        &owners,
        &names,
        &levels,
        &vocations,
        &online,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Twenty guilds of twelve; the first of them are led by the player's characters.
async fn guilds(database: &mut PgConnection) -> anyhow::Result<()> {
    // A Stormborn leads each guild, then one of each family in turn.
    let ids = sqlx::query_scalar!(
        "select character_id from characters
         order by split_part(name, ' ', 2) <> 'Stormborn', split_part(name, ' ', 1), split_part(name, ' ', 2)"
    )
    .fetch_all(&mut *database)
    .await?;
    let (leaders, members) = ids.split_at(GUILDS.len());
    // One Stormborn stays free, so that the player can found a guild.
    for (number, name) in GUILDS.iter().enumerate() {
        let members = &members[number * (MEMBERS - 1)..(number + 1) * (MEMBERS - 1)];
        let leader = if number == 0 { members[0] } else { leaders[number] };
        guild(database, name, leader, members).await?;
    }
    Ok(())
}

async fn guild(database: &mut PgConnection, name: &str, leader: i64, members: &[i64]) -> anyhow::Result<()> {
    let guild_id = sqlx::query_scalar!(
        "insert into guilds (name, leader_id, motd, description) values ($1, $2, $3, $4) returning guild_id",
        name,
        leader,
        "Meeting on Sunday at eight.",
        format!("The {name} look for companions of every vocation."),
    )
    .fetch_one(&mut *database)
    .await?;
    let mut members: Vec<i64> = std::iter::once(leader).chain(members.iter().copied()).collect();
    members.dedup();
    // The leader's stored rank is 2, and so is that of two vice-leaders.
    sqlx::query!(
        "insert into guild_members (character_id, guild_id, rank)
         select character_id, $2, case when position <= 3 then 2 else 1 end
         from unnest($1::bigint[]) with ordinality as members (character_id, position)",
        &members,
        guild_id,
    )
    .execute(database)
    .await?;
    Ok(())
}

async fn shop(database: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql(include_str!("demo_shop.sql")).execute(database).await.context("the demo shop")?;
    Ok(())
}

/// Ten coins for a real, and more in packages.
async fn prices(database: &mut PgConnection) -> anyhow::Result<()> {
    const PACKAGES: [(&str, i64, i64); 3] =
        [("A handful", 1000, 100), ("A purse", 2500, 260), ("A chest", 10_000, 1100)];
    sqlx::query!("insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10)")
        .execute(&mut *database)
        .await?;
    for (position, (name, amount, coins)) in (10..).step_by(10).zip(PACKAGES) {
        insert_package(database, name, Money::new(amount, Currency::Brl), coins, position).await?;
    }
    Ok(())
}

async fn posts(database: &mut PgConnection, author: i64) -> anyhow::Result<()> {
    const POSTS: [(&str, &str, bool); 3] = [
        (
            "Welcome to the demo community",
            "Twenty guilds, four hundred characters, and a shop to look at.",
            true,
        ),
        (
            "The northern wall stands",
            "We **held** it until dawn.\n\n- no gate was lost\n- the wolves are back in their hills",
            false,
        ),
        ("New in the shop", "Mounts! See *Mounts* in the shop.", false),
    ];
    for (title, body, pinned) in POSTS {
        let post_id = sqlx::query_scalar!(
            "insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
             values ($1, $2, $3, $4, $5, $6, false, now()) returning post_id",
            author,
            title,
            slug::slugify(title),
            title,
            body,
            pinned,
        )
        .fetch_one(&mut *database)
        .await?;
        jobs::schedule(database, &Job::AnnouncePost { post_id }, chrono::Utc::now()).await?;
    }
    Ok(())
}
