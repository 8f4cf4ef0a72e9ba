//! Sending a command and waiting for what becomes of it.

use std::{sync::Arc, time::Duration};

use chrono::Utc;
use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        command::{Actor, Command, CompletedOperation, Domain, Envelope, Fingerprint, OperationId, Outcome},
    },
    platform::{
        bus::{Message, PublishError, Publisher, Replies, Topology},
        cache::Cache,
    },
};
use poem::http::StatusCode;
use serde::de::DeserializeOwned;
use sqlx::{PgPool, types::Json};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};

use crate::{
    auth::keys::Secret,
    http::{
        command_request::{CommandRequest, Prefer},
        command_response::CommandResponse,
        problem::Problem,
    },
};

/// How often the operation's row is looked at while no reply comes.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Sends commands.
#[derive(Clone)]
pub(crate) struct Commands {
    pub publisher: Publisher,
    pub replies: Replies,
    pub topology: Topology,
    pub database: PgPool,
    pub cache: Cache,
    pub secret: Arc<Secret>,
    /// How long to wait for the outcome, unless the caller prefers less.
    pub wait: Duration,
}

/// What is known of an operation.
pub(crate) enum Known {
    Settled(CompletedOperation),
    /// On its way; or settled, and a cached answer may still contradict it.
    Pending,
}

impl Commands {
    /// Publishes the command and waits for its outcome.
    ///
    /// # Errors
    /// The refusal; 422 when the key was used for another request; 503 when the
    /// command was not accepted, or may not have been.
    pub(crate) async fn send<C, const APPLIED: u16>(
        &self,
        call: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<CommandResponse<C::Output, APPLIED>, Problem>
    where
        C: Command,
    {
        let (operation_id, settled) = self.submit(call, actor, command).await?;
        match settled.map(|settled| settled.outcome) {
            Some(Outcome::Applied(output)) => Ok(CommandResponse::applied(operation_id, output)),
            Some(Outcome::Refused(refused)) => Err(Problem::from(refused).about(operation_id.0)),
            None => Ok(CommandResponse::pending(operation_id)),
        }
    }

    /// The same for the endpoints that must know the outcome to answer at all.
    ///
    /// # Errors
    /// As [`Commands::send`], and 503 when the outcome is not known in time.
    pub(crate) async fn send_and_know<C>(
        &self,
        call: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<C::Output, Problem>
    where
        C: Command,
        C::Output: DeserializeOwned,
    {
        let call = CommandRequest { idempotency_key: None, prefer: Prefer::default(), ..call.clone() };
        let (operation_id, settled) = self.submit(&call, actor, command).await?;
        let unknown = || {
            Problem::unavailable("outcome_unknown", "It is not settled yet; try again.").about(operation_id.0)
        };
        match settled.ok_or_else(unknown)?.outcome {
            Outcome::Applied(output) => serde_json::from_str(output.get()).map_err(|_| unknown()),
            Outcome::Refused(refused) => Err(refused.into()),
        }
    }

    async fn submit<C: Command>(
        &self,
        call: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<(OperationId, Option<CompletedOperation>), Problem> {
        let fingerprint = self.secret.fingerprint(&call.method, &call.path, &call.body.0);
        let operation_id = match &call.idempotency_key {
            Some(key) => self.secret.keyed_operation(actor, key),
            None => self.secret.new_operation(actor),
        };
        let same_request = |settled: CompletedOperation| {
            if settled.fingerprint == fingerprint {
                return Ok((operation_id, Some(settled)));
            }
            let detail = "This Idempotency-Key was used for another request.";
            Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused", detail))
        };
        if call.idempotency_key.is_some()
            && let Some(Known::Settled(settled)) = self.look_up(operation_id, actor).await?
        {
            return same_request(settled);
        }
        let envelope = envelope(call, operation_id, actor, fingerprint.clone(), command);
        let deadline = Instant::now() + call.prefer.wait.map_or(self.wait, |wait| wait.min(self.wait));
        let mut waiter = self.replies.register(operation_id);
        let published = self.publish(&envelope, self.replies.queue()).await;
        if call.prefer.respond_async && published.is_ok() {
            return Ok((operation_id, None));
        }
        if let Err(error @ (PublishError::Unavailable | PublishError::Rejected)) = published {
            tracing::warn!(%error, "a command was not accepted");
            return Err(Problem::unavailable("queue_unavailable", "Nothing was accepted; try again."));
        }
        let settled = tokio::select! {
            settled = waiter.completed() => Some(settled),
            settled = self.watch(operation_id, actor) => Some(settled),
            () = sleep_until(deadline) => None,
        };
        match settled {
            Some(settled) => same_request(settled),
            None if published.is_err() => {
                let detail =
                    "It is not known whether this was accepted; try again with the same Idempotency-Key.";
                Err(Problem::unavailable("acceptance_unknown", detail).about(operation_id.0))
            }
            None => Ok((operation_id, None)),
        }
    }

    /// Publishes a command of which nobody waits for the outcome.
    ///
    /// # Errors
    /// 503 when it was not accepted, or may not have been.
    pub(crate) async fn accept<C: Command>(
        &self,
        call: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<(), Problem> {
        let fingerprint = self.secret.fingerprint(&call.method, &call.path, &call.body.0);
        let envelope = envelope(call, self.secret.new_operation(actor), actor, fingerprint, command);
        self.publish(&envelope, None).await.map_err(|error| {
            tracing::warn!(%error, "a command was not accepted");
            Problem::unavailable("queue_unavailable", "It may not have been accepted; send it again.")
        })
    }

    async fn publish<D: Domain>(
        &self,
        envelope: &Envelope<D>,
        reply_to: Option<String>,
    ) -> Result<(), PublishError> {
        let body = serde_json::to_vec(envelope).map_err(|_| PublishError::Rejected)?;
        let message = Message {
            exchange: String::new(),
            routing_key: self.topology.commands::<D>(),
            mandatory: true,
            message_id: envelope.operation_id.to_string(),
            reply_to,
            body,
        };
        let published = self.publisher.publish(message).await;
        let result = if published.is_ok() { "accepted" } else { "failed" };
        metrics::counter!("guildhall_commands_published_total", "domain" => D::NAME, "result" => result)
            .increment(1);
        published
    }

    /// Looks at the row until it is there: the reply may have been lost.
    async fn watch(&self, operation_id: OperationId, actor: Actor) -> CompletedOperation {
        let mut ticks = interval_at(Instant::now() + LOOK_EVERY, LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            if let Ok(Some(Known::Settled(settled))) = self.look_up(operation_id, actor).await {
                return settled;
            }
        }
    }

    /// What Postgres knows of the operation of this actor.
    ///
    /// # Errors
    /// 503 when Postgres does not answer.
    pub(crate) async fn look_up(
        &self,
        operation_id: OperationId,
        actor: Actor,
    ) -> Result<Option<Known>, Problem> {
        let row = sqlx::query!(
            r#"select encode(fingerprint, 'hex') as "fingerprint!", outcome as "outcome: Json<Outcome>", stale_keys,
                      applied_at < now() - interval '10 minutes' as "old!"
               from operations where operation_id = $1 and account_id is not distinct from $2"#,
            operation_id.0,
            actor.account_id(),
        )
        .fetch_optional(&self.database)
        .await?;
        let Some(row) = row else {
            return Ok(None);
        };
        // The worker may have died between its commit and its invalidation: who tells
        // of the outcome makes sure that the reads which follow show it.
        let stale: Vec<CacheKey> = row.stale_keys.into_iter().map(CacheKey::from_stored).collect();
        // No answer is cached for as long as that.
        if !row.old && !self.cache.is_invalidated(&self.database, &stale).await? {
            return Ok(Some(Known::Pending));
        }
        Ok(Some(Known::Settled(CompletedOperation {
            operation_id,
            fingerprint: row.fingerprint,
            outcome: row.outcome.0,
        })))
    }
}

fn envelope<C: Command>(
    call: &CommandRequest,
    operation_id: OperationId,
    actor: Actor,
    fingerprint: Fingerprint,
    command: C,
) -> Envelope<C::Domain> {
    Envelope {
        version: Envelope::<C::Domain>::VERSION,
        operation_id,
        actor,
        accepted_at: Utc::now(),
        request_id: call.request_id.clone(),
        traceparent: call.traceparent.clone(),
        fingerprint,
        command: command.into(),
    }
}
