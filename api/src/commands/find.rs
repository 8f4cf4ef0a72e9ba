//! Finding the stored outcomes of operations.

use std::time::Duration;

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{Actor, CompletedOperation, OperationId, Outcome, Refused},
    idempotency_key::{KeyClaim, KeyUse},
};
use sqlx::types::Json;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use uuid::Uuid;

use crate::{commands::publish::Commands, http::problem::Problem};

/// The interval at which a waiting request polls the row of its operation.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// An operation whose row exists in Postgres.
pub(crate) enum StoredOperation {
    Completed(CompletedOperation),
    /// The outcome is stored, but the cache may still contain older data.
    Pending,
}

impl Commands {
    /// The first operation with the same idempotency key, if its outcome is known. A worker decides about all other cases.
    pub(super) async fn find_first_use(
        &self,
        key_uses: &[KeyUse],
        actor: Actor,
    ) -> Result<Option<CompletedOperation>, Problem> {
        if key_uses.is_empty() {
            return Ok(None);
        }
        let keys: Vec<Uuid> = key_uses.iter().map(|key_use| key_use.key).collect();
        let claims = sqlx::query!(
            r#"select key, operation_id as "operation_id: OperationId", encode(fingerprint, 'hex') as "fingerprint!"
               from idempotency_keys where key = any($1)"#,
            &keys,
        );
        let claims = claims.fetch_all(&self.database).await?;
        let first = key_uses.iter().find_map(|key_use| {
            let claim = claims.iter().find(|claim| claim.key == key_use.key)?;
            Some((key_use.compare(&claim.fingerprint)?, claim.operation_id))
        });
        let operation_id = match first {
            None => return Ok(None),
            Some((KeyClaim::Reused, _)) => return Err(Refused::key_reused().into()),
            Some((KeyClaim::Repeated, operation_id)) => operation_id,
        };
        match self.find_operation(operation_id, actor).await? {
            Some(StoredOperation::Completed(completed)) => Ok(Some(completed)),
            Some(StoredOperation::Pending) | None => Ok(None),
        }
    }

    /// Polls the row of the operation until it is completed. The reply can be lost, the row cannot.
    pub(super) async fn poll_operation(&self, operation_id: OperationId, actor: Actor) -> CompletedOperation {
        let mut ticks = interval_at(Instant::now() + POLL_INTERVAL, POLL_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Ok(Some(StoredOperation::Completed(completed))) =
                self.find_operation(operation_id, actor).await
            {
                return completed;
            }
        }
    }

    /// The operation of this actor from Postgres, or None if it has no row yet.
    ///
    /// # Errors
    /// 503 if Postgres does not respond.
    pub(crate) async fn find_operation(
        &self,
        operation_id: OperationId,
        actor: Actor,
    ) -> Result<Option<StoredOperation>, Problem> {
        let row = sqlx::query!(
            r#"select encode(fingerprint, 'hex') as "fingerprint!", outcome as "outcome: Json<Outcome>", stale_keys,
                      repeats as "repeats: OperationId",
                      applied_at < now() - interval '10 minutes' as "old!"
               from operations where operation_id = $1 and account_id is not distinct from $2"#,
            operation_id.get(),
            actor.account_id() as _,
        )
        .fetch_optional(&self.database)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        // A worker can stop between its commit and its invalidation. The outcome is returned only after the
        // invalidation, so that later reads show it.
        let stale: Vec<CacheKey> = row.stale_keys.into_iter().map(CacheKey::from_stored).collect();
        // A cache entry expires in less than 10 minutes.
        if !row.old && !self.cache.is_invalidated(&self.database, &stale).await? {
            return Ok(Some(StoredOperation::Pending));
        }
        Ok(Some(StoredOperation::Completed(CompletedOperation {
            operation_id,
            fingerprint: row.fingerprint,
            outcome: row.outcome.0,
            repeats: row.repeats,
        })))
    }
}
