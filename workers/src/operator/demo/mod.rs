//! The demo community: accounts, characters, guilds, a shop, a price list and news.

mod names;
mod people;

use std::fmt::Write;

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::{
        account::{AccountId, StaffRole, service_tokens_key},
        cache_key::CacheKey,
        coins::packages_key,
        guild::guilds_key,
        news::{PostId, news_key},
        shop::shop_key,
    },
    platform::db,
};
use sqlx::PgConnection;

use crate::{
    app::App,
    engine::jobs::{self},
    news::AnnouncePost,
    operator::{accounts, demo::names::POSTS},
};

/// Loads the demo community into an empty database. It returns the credentials.
///
/// # Errors
/// The database has accounts.
pub async fn load(app: &App) -> anyhow::Result<String> {
    let mut transaction = db::begin(&app.database).await?;
    let accounts = sqlx::query_scalar!(r#"select count(*) as "count!" from accounts"#)
        .fetch_one(&mut *transaction)
        .await?;
    ensure!(accounts == 0, "nothing was loaded: the demo needs an empty database, and this one has accounts");
    let mut credentials = String::new();
    account(&mut transaction, "admin", "admin", &[StaffRole::Admin], &mut credentials).await?;
    let editor = account(&mut transaction, "editor", "nora", &[StaffRole::Editor], &mut credentials).await?;
    account(&mut transaction, "merchant", "odo", &[StaffRole::Merchant], &mut credentials).await?;
    let player = account(&mut transaction, "player", "mira", &[], &mut credentials).await?;
    people::insert_characters(&mut transaction, player).await?;
    people::insert_deaths(&mut transaction).await?;
    people::insert_guilds(&mut transaction).await?;
    insert_shop(&mut transaction).await?;
    insert_prices(&mut transaction).await?;
    insert_posts(&mut transaction, editor).await?;
    let token = accounts::insert_service_token(&mut transaction, "demo-game-server").await?;
    writeln!(credentials, "game demo-game-server {token}")?;
    transaction.commit().await?;
    let stale_keys: [CacheKey; 5] =
        [guilds_key(), shop_key(), packages_key(), news_key(), service_tokens_key()];
    app.cache.invalidate_or_suspend(&app.database, &stale_keys).await?;
    Ok(credentials)
}

/// Creates an account with a random password, and adds a line to the credentials: purpose, name, password.
async fn account(
    database: &mut PgConnection,
    purpose: &str,
    name: &str,
    roles: &[StaffRole],
    credentials: &mut String,
) -> anyhow::Result<AccountId> {
    let password = accounts::random_secret();
    writeln!(credentials, "{purpose} {name} {password}")?;
    let email = format!("{name}@example.org").parse().map_err(anyhow::Error::msg)?;
    let name = name.parse().map_err(anyhow::Error::msg)?;
    accounts::create_account(database, &name, &email, &password, roles).await
}

async fn insert_shop(database: &mut PgConnection) -> anyhow::Result<()> {
    sqlx::raw_sql(include_str!("shop.sql")).execute(database).await.context("the demo shop")?;
    Ok(())
}

/// Inserts a rate of ten coins for a real, and packages with a discount.
async fn insert_prices(database: &mut PgConnection) -> anyhow::Result<()> {
    const PACKAGES: [(&str, i64, i64); 3] =
        [("A handful", 1000, 100), ("A purse", 2500, 260), ("A chest", 10_000, 1100)];
    sqlx::query!("insert into coin_rates (currency, amount, coins) values ('BRL', 100, 10)")
        .execute(&mut *database)
        .await?;
    for (position, (name, amount, coins)) in (10..).step_by(10).zip(PACKAGES) {
        sqlx::query!(
            "insert into coin_packages (name, currency, amount, coins, position) values ($1, 'BRL', $2, $3, $4)",
            name,
            amount,
            coins,
            position,
        )
        .execute(&mut *database)
        .await?;
    }
    Ok(())
}

async fn insert_posts(database: &mut PgConnection, author: AccountId) -> anyhow::Result<()> {
    for (title, summary, body, age, pinned) in POSTS {
        let post = sqlx::query!(
            r#"insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
               values ($1, $2, $3, $4, $5, $6, false, now() - make_interval(days => $7))
               returning post_id as "post_id: PostId", published_at"#,
            author.get(),
            title,
            slug::slugify(title),
            summary,
            body,
            pinned,
            age,
        )
        .fetch_one(&mut *database)
        .await?;
        jobs::schedule(database, &AnnouncePost { post_id: post.post_id }, post.published_at).await?;
    }
    Ok(())
}
