//! Commands that wait for somebody outside: taken from the queue, and settled later by a job.

use guildhall_common::contract::{
    cache_key::CacheKey,
    command::{CompletedOperation, Domain, OperationId, Outcome},
};
use sqlx::{PgConnection, types::Json};

use crate::{
    app::App,
    engine::batch::{Accepted, send_reply},
};

/// Keeps what the operation's row will need. Of a message that came again, the newest waiter counts.
pub(crate) async fn keep<D: Domain>(database: &mut PgConnection, accepted: &Accepted<D>) -> sqlx::Result<()> {
    let envelope = &accepted.envelope;
    sqlx::query!(
        "insert into begun_operations (operation_id, command, account_id, fingerprint, accepted_at, reply_to)
         values ($1, $2, $3, decode($4, 'hex'), $5, $6)
         on conflict (operation_id) do update set reply_to = excluded.reply_to",
        envelope.operation_id.0,
        envelope.command.name(),
        envelope.actor.account_id(),
        envelope.fingerprint,
        envelope.accepted_at,
        accepted.reply_to,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// An outcome that somebody may wait for.
pub(crate) struct Reply {
    settled: CompletedOperation,
    to: Option<String>,
}

impl Reply {
    /// After the commit, and after the cache was told.
    pub(crate) fn send(&self, site: &App) {
        if let Some(queue) = &self.to {
            send_reply(site, queue, &[&self.settled]);
        }
    }
}

/// Writes the operation's row, in the transaction that makes its outcome true. None when it was settled before.
pub(crate) async fn settle(
    database: &mut PgConnection,
    operation_id: OperationId,
    outcome: Outcome,
    stale: &[CacheKey],
) -> sqlx::Result<Option<Reply>> {
    let stale: Vec<String> = stale.iter().map(ToString::to_string).collect();
    let begun = sqlx::query!(
        r#"with begun as (delete from begun_operations where operation_id = $1 returning *),
                settled as (
                    insert into operations
                        (operation_id, command, account_id, fingerprint, outcome, stale_keys, accepted_at)
                    select operation_id, command, account_id, fingerprint, $2, $3, accepted_at from begun
                    -- Settled before, when the message came again meanwhile.
                    on conflict (operation_id) do nothing
                )
           select encode(fingerprint, 'hex') as "fingerprint!", reply_to from begun"#,
        operation_id.0,
        Json(&outcome) as _,
        &stale,
    )
    .fetch_optional(database)
    .await?;
    Ok(begun.map(|begun| Reply {
        settled: CompletedOperation { operation_id, fingerprint: begun.fingerprint, outcome },
        to: begun.reply_to,
    }))
}
