//! What an operator does to a site directly: accounts, roles, service tokens.

use anyhow::{Context, ensure};
use argon2::{Argon2, password_hash::PasswordHasher};
use clap::ValueEnum;
use guildhall_common::{
    contract::{
        account::{AccountName, Email, SERVICE_TOKEN_PREFIX, service_token_key, session_key},
        cache_key::CacheKey,
    },
    platform::db,
};
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::{app::App, engine::audit};

/// The roles that can be given to an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GivenRole {
    /// Writes the news
    Editor,
    /// Keeps the shop
    Merchant,
    /// May do everything
    Admin,
}

impl GivenRole {
    fn stored(self) -> &'static str {
        match self {
            Self::Editor => "editor",
            Self::Merchant => "merchant",
            Self::Admin => "admin",
        }
    }
}

/// 160 random bits in hex.
#[must_use]
pub fn random_secret() -> String {
    rand::random::<[u8; 20]>().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Opens an account with a role; answers its id.
///
/// # Errors
/// When the name or the address is taken.
pub async fn create_account(
    database: &mut PgConnection,
    name: &AccountName,
    email: &Email,
    password: &str,
    roles: &[GivenRole],
) -> anyhow::Result<i64> {
    ensure!((8..=128).contains(&password.chars().count()), "the password must have 8 to 128 characters");
    let hash = Argon2::default()
        .hash_password(password.as_bytes())
        .map_err(|error| anyhow::anyhow!("hashing: {error}"))?;
    let roles: Vec<String> = roles.iter().map(|role| role.stored().to_owned()).collect();
    sqlx::query_scalar!(
        "insert into accounts (name, email, password_hash, roles) values ($1, $2, $3, $4) returning account_id",
        &**name,
        &**email,
        hash.to_string(),
        &roles,
    )
    .fetch_one(database)
    .await
    .context("the account cannot be opened")
}

/// Opens an account that may do everything; answers its id.
///
/// # Errors
/// When the name or the address is taken.
pub async fn create_admin(
    site: &App,
    name: &AccountName,
    email: &Email,
    password: &str,
) -> anyhow::Result<i64> {
    let mut transaction = db::begin(&site.database).await?;
    let account_id = create_account(&mut transaction, name, email, password, &[GivenRole::Admin]).await?;
    audit::write(&mut transaction, None, "account.create_admin", json!({ "account": **name }), None).await?;
    transaction.commit().await?;
    Ok(account_id)
}

/// Gives an account a role or takes it away; in force at once.
///
/// # Errors
/// When there is no such account.
pub async fn set_role(site: &App, name: &AccountName, role: GivenRole, given: bool) -> anyhow::Result<()> {
    let mut transaction = db::begin(&site.database).await?;
    let account_id = sqlx::query_scalar!(
        "update accounts
         set roles = case when $3 then array_append(array_remove(roles, $2), $2) else array_remove(roles, $2) end
         where name_key = $1 returning account_id",
        name.key(),
        role.stored(),
        given,
    )
    .fetch_optional(&mut *transaction)
    .await?
    .with_context(|| format!("there is no account {}", &**name))?;
    let action = if given { "account.grant" } else { "account.revoke" };
    let details = json!({ "account": **name, "role": role.stored() });
    audit::write(&mut transaction, None, action, details, None).await?;
    transaction.commit().await?;
    let sessions = sqlx::query_scalar!(
        "select session_id from sessions where account_id = $1 and ended_at is null",
        account_id,
    )
    .fetch_all(&site.database)
    .await?;
    let stale: Vec<CacheKey> = sessions.into_iter().map(session_key).collect();
    Ok(site.cache.invalidate_or_suspend(&site.database, &stale).await?)
}

/// Makes a service token; answers it, who alone ever does.
///
/// # Errors
/// When there is one of this name.
pub async fn create_service_token(database: &mut PgConnection, name: &str) -> anyhow::Result<String> {
    let token = format!("{SERVICE_TOKEN_PREFIX}{}", random_secret());
    let hash = Sha256::digest(token.as_bytes());
    sqlx::query!("insert into service_tokens (name, token_hash) values ($1, $2)", name, hash.as_slice())
        .execute(&mut *database)
        .await
        .context("the token cannot be made")?;
    audit::write(database, None, "service_token.create", json!({ "name": name }), None).await?;
    Ok(token)
}

/// A service token, without its secret.
#[derive(Debug)]
pub struct ServiceToken {
    pub name: String,
    pub created_at: chrono::DateTime<chrono::Utc>,
    pub revoked_at: Option<chrono::DateTime<chrono::Utc>>,
}

/// All service tokens that were ever made, by name.
///
/// # Errors
/// The database's.
pub async fn service_tokens(site: &App) -> sqlx::Result<Vec<ServiceToken>> {
    sqlx::query_as!(ServiceToken, "select name, created_at, revoked_at from service_tokens order by name")
        .fetch_all(&site.database)
        .await
}

/// Revokes a service token; in force at once.
///
/// # Errors
/// When there is none of this name that is good.
pub async fn revoke_service_token(site: &App, name: &str) -> anyhow::Result<()> {
    let mut transaction = db::begin(&site.database).await?;
    let hash = sqlx::query_scalar!(
        r#"update service_tokens set revoked_at = now() where name = $1 and revoked_at is null
           returning encode(token_hash, 'hex') as "hash!""#,
        name,
    )
    .fetch_optional(&mut *transaction)
    .await?
    .with_context(|| format!("there is no service token {name} that is good"))?;
    audit::write(&mut transaction, None, "service_token.revoke", json!({ "name": name }), None).await?;
    transaction.commit().await?;
    Ok(site.cache.invalidate_or_suspend(&site.database, &[service_token_key(&hash)]).await?)
}
