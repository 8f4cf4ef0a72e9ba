//! The tokens of game servers: an administrator or an operator creates and revokes them.

use chrono::TimeDelta;
use guildhall_common::contract::{
    account::{ServiceTokenId, service_tokens_key},
    command::{Failure, OnConstraint},
    site::{
        AllowImport, CreateServiceToken, ImportAllowed, RevokeServiceToken, ServiceTokenCreated,
        ServiceTokenRevoked, SiteRefusal,
    },
};
use serde_json::json;
use sqlx::PgConnection;

use crate::engine::{audit::Entry, context::Context, rule::Rule};

impl Rule for CreateServiceToken {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<ServiceTokenCreated, Failure> {
        let (service_token_id, entry) = insert(cx.db, &self.name, &self.token_hash).await?;
        cx.audit(entry).await?;
        cx.invalidate([service_tokens_key()]);
        Ok(ServiceTokenCreated { service_token_id })
    }
}

impl Rule for RevokeServiceToken {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<ServiceTokenRevoked, Failure> {
        let service_token_id = self.service_token_id;
        let entry = revoke(cx.db, service_token_id).await?;
        cx.audit(entry).await?;
        cx.invalidate([service_tokens_key()]);
        Ok(ServiceTokenRevoked { service_token_id })
    }
}

/// How long a game server may import accounts after an administrator has allowed it.
const IMPORT_PERIOD: TimeDelta = TimeDelta::days(1);

impl Rule for AllowImport {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<ImportAllowed, Failure> {
        let (service_token_id, until) = (self.service_token_id, cx.now + IMPORT_PERIOD);
        let name = lock_valid(cx.db, service_token_id).await?;
        sqlx::query!(
            "update service_tokens set imports_until = $2 where service_token_id = $1",
            service_token_id.get(),
            until,
        )
        .execute(&mut *cx.db)
        .await?;
        let details = json!({ "service_token_id": service_token_id, "until": until });
        cx.audit(Entry::new("service_token.allow_import", details).text("name", &name)).await?;
        Ok(ImportAllowed { service_token_id, until })
    }
}

/// Inserts a token by its hash, in hex. Returns its id and the audit entry.
pub(crate) async fn insert(
    database: &mut PgConnection,
    name: &str,
    token_hash: &str,
) -> Result<(ServiceTokenId, Entry), Failure> {
    let service_token_id = sqlx::query_scalar!(
        r#"insert into service_tokens (name, token_hash) values ($1, decode($2, 'hex'))
           returning service_token_id as "service_token_id: ServiceTokenId""#,
        name,
        token_hash,
    )
    .fetch_one(database)
    .await
    .on_constraint("service_tokens_name_unique", SiteRefusal::ServiceTokenNameTaken)?;
    let details = json!({ "service_token_id": service_token_id });
    Ok((service_token_id, Entry::new("service_token.create", details).text("name", name)))
}

/// Makes a token invalid, and returns the audit entry. The caller invalidates the cached list of valid tokens.
pub(crate) async fn revoke(
    database: &mut PgConnection,
    service_token_id: ServiceTokenId,
) -> Result<Entry, Failure> {
    let name = lock_valid(database, service_token_id).await?;
    sqlx::query!(
        "update service_tokens set revoked_at = now() where service_token_id = $1",
        service_token_id.get()
    )
    .execute(database)
    .await?;
    let details = json!({ "service_token_id": service_token_id });
    Ok(Entry::new("service_token.revoke", details).text("name", &name))
}

/// Locks a valid token, and returns its name.
///
/// # Errors
/// It does not exist, or it was revoked.
async fn lock_valid(
    database: &mut PgConnection,
    service_token_id: ServiceTokenId,
) -> Result<String, Failure> {
    let token = sqlx::query!(
        "select name, revoked_at from service_tokens where service_token_id = $1 for update",
        service_token_id.get(),
    );
    let token = token.fetch_optional(database).await?.ok_or(SiteRefusal::ServiceTokenNotFound)?;
    if token.revoked_at.is_some() { Err(SiteRefusal::AlreadyRevoked.into()) } else { Ok(token.name) }
}
