//! Accounts, roles and service tokens.

use anyhow::{Context, bail, ensure};
use argon2::{Argon2, password_hash::PasswordHasher};
use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        account::{
            AccountId, AccountName, Email, SERVICE_TOKEN_PREFIX, ServiceTokenId, SessionId, StaffRole,
            service_tokens_key, session_key,
        },
        cache_key::CacheKey,
        opaque_string::opaque_string,
        secret_hash::hash_secret,
    },
    platform::db,
};
use serde_json::json;
use sqlx::PgConnection;

use crate::{
    account::{self, second_factor},
    app::App,
    engine::{audit::Entry, failure::into_error, job_transaction::JobTransaction},
    site::service_tokens,
};

/// Makes a secret of 160 random bits, in hex.
#[must_use]
pub fn random_secret() -> String {
    hex::encode(rand::random::<[u8; 20]>())
}

/// Creates an account with roles and returns its id.
///
/// # Errors
/// The name or the e-mail address is taken, or the password is too short or too long.
pub async fn create_account(
    database: &mut PgConnection,
    name: &AccountName,
    email: &Email,
    password: &str,
    roles: &[StaffRole],
) -> anyhow::Result<AccountId> {
    ensure!((10..=256).contains(&password.chars().count()), "the password must have 10 to 256 characters");
    let hash = Argon2::default()
        .hash_password(opaque_string(password).as_bytes())
        .map_err(|error| anyhow::anyhow!("cannot hash the password: {error}"))?;
    let account_id = sqlx::query_scalar!(
        // An operator has entered the address, so it counts as verified.
        r#"insert into accounts (name, email, password_hash, roles, email_verified_at) values ($1, $2, $3, $4, now())
           on conflict do nothing returning account_id as "account_id: AccountId""#,
        &**name,
        &**email,
        hash.to_string(),
        roles as _,
    )
    .fetch_optional(&mut *database)
    .await
    .context("cannot create the account")?;
    if let Some(account_id) = account_id {
        return Ok(account_id);
    }
    let is_name_taken = sqlx::query_scalar!(
        r#"select exists (select from accounts where name_key = lower($1)) as "is_name_taken!""#,
        &**name
    );
    if is_name_taken.fetch_one(database).await? {
        bail!("the account {0} exists already. Grant it a role: guildhall-workers grant {0} admin", &**name);
    }
    bail!("another account has the e-mail address {}", &**email)
}

/// Creates an account with all rights and returns its id.
///
/// # Errors
/// As for [`create_account`].
pub async fn create_admin(
    app: &App,
    name: &AccountName,
    email: &Email,
    password: &str,
) -> anyhow::Result<AccountId> {
    let mut transaction = db::begin(&app.database).await?;
    let account_id = create_account(&mut transaction, name, email, password, &[StaffRole::Admin]).await?;
    Entry::new("account.create_admin", json!({ "account_id": account_id })).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(account_id)
}

/// Grants a role to an account, or revokes it. It applies to the next request. An account with a role is not deleted.
///
/// # Errors
/// The account does not exist.
pub async fn set_role(
    app: &App,
    name: &AccountName,
    role: StaffRole,
    is_granted: bool,
) -> anyhow::Result<()> {
    let mut transaction = JobTransaction::begin(app).await?;
    let mut cx = transaction.context();
    let account_id = sqlx::query_scalar!(
        r#"select account_id as "account_id: AccountId" from accounts where name_key = $1"#,
        name.key(),
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .with_context(|| format!("there is no account {}", &**name))?;
    if account::set_role(&mut cx, account_id, role, is_granted).await.map_err(into_error)? {
        let action = if is_granted { "account.grant" } else { "account.revoke" };
        Entry::new(action, json!({ "account_id": account_id, "role": role })).write(cx.db).await?;
    }
    let effects = cx.effects;
    transaction.commit(effects).await?;
    invalidate_sessions(app, account_id).await
}

/// Disables the second factor of an account whose owner has lost the app and the recovery codes.
///
/// # Errors
/// There is no such account, or it has no second factor.
pub async fn disable_second_factor(app: &App, name: &AccountName) -> anyhow::Result<()> {
    let mut transaction = JobTransaction::begin(app).await?;
    let mut cx = transaction.context();
    let account_id = sqlx::query_scalar!(
        r#"select account_id as "account_id: AccountId" from accounts
           where name_key = $1 and second_factor is not null for no key update"#,
        name.key(),
    );
    let account_id = account_id
        .fetch_optional(&mut *cx.db)
        .await?
        .with_context(|| format!("there is no account {} with a second factor", &**name))?;
    second_factor::disable_for_operator(&mut cx, account_id).await.map_err(into_error)?;
    let effects = cx.effects;
    transaction.commit(effects).await?;
    invalidate_sessions(app, account_id).await
}

/// Invalidates what is cached about the account of each active session. The effects of a transaction do the same by jobs of the workers,
/// which may not run: a change by an operator applies when the command ends.
async fn invalidate_sessions(app: &App, account_id: AccountId) -> anyhow::Result<()> {
    let sessions = sqlx::query_scalar!(
        r#"select session_id as "session_id: SessionId" from sessions where account_id = $1 and ended_at is null"#,
        account_id.get(),
    )
    .fetch_all(&app.database)
    .await?;
    let stale: Vec<CacheKey> = sessions.into_iter().map(session_key).collect();
    Ok(app.cache.invalidate_or_suspend(&app.database, &stale).await?)
}

/// Creates a service token and returns it. Only its hash is stored.
///
/// # Errors
/// Another token has this name.
pub async fn create_service_token(app: &App, name: &str) -> anyhow::Result<String> {
    let mut transaction = db::begin(&app.database).await?;
    let token = insert_service_token(&mut transaction, name).await?;
    transaction.commit().await?;
    app.cache.invalidate_or_suspend(&app.database, &[service_tokens_key()]).await?;
    Ok(token)
}

/// Inserts a new service token and returns it, in the transaction of the caller.
///
/// # Errors
/// Another token has this name.
pub(crate) async fn insert_service_token(database: &mut PgConnection, name: &str) -> anyhow::Result<String> {
    let token = format!("{SERVICE_TOKEN_PREFIX}{}", random_secret());
    let (_, entry) =
        service_tokens::insert(database, name, &hash_secret(&token)).await.map_err(into_error)?;
    entry.write(database).await?;
    Ok(token)
}

/// A service token, without its secret.
#[derive(Debug)]
pub struct ListedServiceToken {
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Lists all service tokens by name, including revoked ones.
///
/// # Errors
/// Those of the database.
pub async fn list_service_tokens(app: &App) -> sqlx::Result<Vec<ListedServiceToken>> {
    sqlx::query_as!(
        ListedServiceToken,
        "select name, created_at, revoked_at from service_tokens order by name"
    )
    .fetch_all(&app.database)
    .await
}

/// Revokes a service token. It applies to the next request.
///
/// # Errors
/// No valid token has this name.
pub async fn revoke_service_token(app: &App, name: &str) -> anyhow::Result<()> {
    let mut transaction = db::begin(&app.database).await?;
    let service_token_id = sqlx::query_scalar!(
        r#"select service_token_id as "service_token_id: ServiceTokenId" from service_tokens where name = $1"#,
        name,
    )
    .fetch_optional(&mut *transaction)
    .await?
    .with_context(|| format!("there is no service token {name}"))?;
    let entry = service_tokens::revoke(&mut transaction, service_token_id).await.map_err(into_error)?;
    entry.write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(app.cache.invalidate_or_suspend(&app.database, &[service_tokens_key()]).await?)
}
