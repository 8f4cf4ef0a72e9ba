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
/// An operation that repeats another one is completed together with it.
pub(crate) async fn insert<D: Domain>(
    database: &mut PgConnection,
    envelope: &Envelope<D>,
    reply_to: Option<&str>,
    repeats: Option<OperationId>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into begun_operations
             (operation_id, command, account_id, fingerprint, accepted_at, reply_to, trail, repeats)
         values ($1, $2, $3, decode($4, 'hex'), $5, $6, $7, $8)
         on conflict (operation_id) do update set reply_to = excluded.reply_to",
        envelope.operation_id.get(),
        envelope.command.name(),
        envelope.actor.account_id() as _,
        envelope.fingerprint,
        envelope.accepted_at,
        reply_to,
        Json(Trail::of(envelope)) as _,
        repeats as _,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Locks deferred operations, so that no job completes them before the transaction ends.
pub(crate) async fn lock(database: &mut PgConnection, ids: &[OperationId]) -> sqlx::Result<()> {
    let ids: Vec<_> = ids.iter().map(|id| id.get()).collect();
    sqlx::query!(
        "select from begun_operations where operation_id = any($1) order by operation_id for update",
        &ids
    )
    .fetch_all(database)
    .await?;
    Ok(())
}

/// A completed deferred command, and the ones that repeat it.
#[must_use = "the waiting processes get no reply without a report"]
pub(crate) struct Completion(Vec<CompletedCommand>);

struct CompletedCommand {
    operation: CompletedOperation,
    reply_to: Option<String>,
    trail: Trail,
}

impl Completion {
    /// Logs the outcome and replies. Call it after the commit and after the invalidation of the cache.
    pub(crate) fn report(&self, app: &App) {
        for CompletedCommand { operation, trail, .. } in &self.0 {
            trail.log_outcome(Some(&operation.outcome));
        }
        let replies = self
            .0
            .iter()
            .filter_map(|completed| Some((completed.reply_to.as_deref()?, &completed.operation)));
        reply::send_all(&app.publisher, replies);
    }
}

/// Completes a deferred command: it writes the row of the operation, in the transaction of the outcome. None if it was completed before.
pub(crate) async fn complete(
    database: &mut PgConnection,
    operation_id: OperationId,
    outcome: Outcome,
    stale_keys: &[CacheKey],
) -> sqlx::Result<Option<Completion>> {
    // The lock comes first, in a statement of its own: the next one then sees each operation that repeats this one.
    lock(database, &[operation_id]).await?;
    let stale_keys: Vec<String> = stale_keys.iter().map(ToString::to_string).collect();
    let deferred = sqlx::query!(
        r#"with deferred as (
                    delete from begun_operations
                    where (operation_id = $1 or repeats = $1)
                      and exists (select from begun_operations where operation_id = $1)
                    returning *
                ),
                completed as (
                    insert into operations
                        (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at, repeats)
                    select operation_id, command, account_id, fingerprint, $2, $3, accepted_at, repeats from deferred
                    -- The message was redelivered and started again after the completion.
                    on conflict (operation_id) do nothing
                )
           select operation_id as "operation_id!: OperationId", command as "command!",
                  encode(fingerprint, 'hex') as "fingerprint!", reply_to, trail as "trail: Json<Trail>",
                  repeats as "repeats: OperationId"
           from deferred"#,
        operation_id.get(),
        Json(&outcome) as _,
        &stale_keys,
    )
    .fetch_all(database)
    .await?;
    if deferred.is_empty() {
        return Ok(None);
    }
    let completed = deferred.into_iter().map(|row| {
        let (operation_id, outcome) = (row.operation_id, outcome.clone());
        let (fingerprint, repeats) = (row.fingerprint, row.repeats);
        CompletedCommand {
            operation: CompletedOperation { operation_id, fingerprint, outcome, repeats },
            reply_to: row.reply_to,
            trail: row.trail.map_or_else(|| Trail::of_stored(operation_id, row.command), |Json(trail)| trail),
        }
    });
    Ok(Some(Completion(completed.collect())))
}
