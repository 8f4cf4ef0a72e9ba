//! Deferred commands: their rule starts them, and a job completes them later.

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{CompletedOperation, Domain, Envelope, OperationId, Outcome},
};
use sqlx::{PgConnection, types::Json};

use crate::{
    app::App,
    engine::{reply, trail::Trail},
};

/// Stores what the row of the operation needs later. If the message was redelivered, the newest reply queue is used.
pub(crate) async fn insert<D: Domain>(
    database: &mut PgConnection,
    envelope: &Envelope<D>,
    reply_to: Option<&str>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into begun_operations (operation_id, command, account_id, fingerprint, accepted_at, reply_to, trail)
         values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7)
         on conflict (operation_id) do update set reply_to = excluded.reply_to",
        envelope.operation_id.get(),
        envelope.command.name(),
        envelope.actor.account_id() as _,
        envelope.fingerprint,
        envelope.accepted_at,
        reply_to,
        Json(Trail::of(envelope)) as _,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// A completed deferred command.
#[must_use = "the waiting process gets no reply without a report"]
pub(crate) struct Completion {
    operation: CompletedOperation,
    reply_to: Option<String>,
    trail: Trail,
}

impl Completion {
    /// Logs the outcome and replies. Call it after the commit and after the invalidation of the cache.
    pub(crate) fn report(&self, app: &App) {
        self.trail.log_outcome(Some(&self.operation.outcome));
        let reply_to = self.reply_to.iter();
        reply::send_all(&app.publisher, reply_to.map(|queue| (queue.as_str(), &self.operation)));
    }
}

/// Completes a deferred command: it writes the row of the operation, in the transaction of the outcome. None if it was completed before.
pub(crate) async fn complete(
    database: &mut PgConnection,
    operation_id: OperationId,
    outcome: Outcome,
    stale_keys: &[CacheKey],
) -> sqlx::Result<Option<Completion>> {
    let stale_keys: Vec<String> = stale_keys.iter().map(ToString::to_string).collect();
    let deferred = sqlx::query!(
        r#"with deferred as (delete from begun_operations where operation_id = $1 returning *),
                completed as (
                    insert into operations
                        (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at)
                    select operation_id, command, account_id, fingerprint, $2, $3, accepted_at from deferred
                    -- The message was redelivered and started again after the completion.
                    on conflict (operation_id) do nothing
                )
           select command as "command!", encode(fingerprint, 'hex') as "fingerprint!", reply_to,
                  trail as "trail: Json<Trail>"
           from deferred"#,
        operation_id.get(),
        Json(&outcome) as _,
        &stale_keys,
    )
    .fetch_optional(database)
    .await?;
    Ok(deferred.map(|row| Completion {
        operation: CompletedOperation { operation_id, fingerprint: row.fingerprint, outcome },
        reply_to: row.reply_to,
        trail: row.trail.map_or_else(|| Trail::of_stored(operation_id, row.command), |Json(trail)| trail),
    }))
}
