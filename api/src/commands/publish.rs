//! Publishing commands and waiting for their outcomes.

use std::{sync::Arc, time::Duration};

use chrono::Utc;
use guildhall_common::{
    contract::{
        command::{Actor, Command, CompletedOperation, Domain, Envelope, OperationId, Outcome},
        idempotency_key::KeyUse,
    },
    platform::{
        bus::{Message, PublishError, Publisher, Replies, Topology},
        cache::Cache,
        partitions::QueueWaits,
    },
};
use serde::de::DeserializeOwned;
use sqlx::PgPool;
use tokio::time::{Instant, sleep_until};

use crate::{
    auth::keys::Secrets,
    http::{
        command_request::{CommandRequest, Prefer},
        command_response::CommandResponse,
        problem::Problem,
        request_span::record_command,
    },
};

/// The longest `Retry-After` in seconds. A queue may become shorter sooner than its wait says.
const LONGEST_RETRY_AFTER: u64 = 60;

/// An accepted operation, and its outcome if it is known.
type Submitted = (OperationId, Option<CompletedOperation>);

/// Publishes commands and finds their outcomes.
#[derive(Clone)]
pub(crate) struct Commands {
    pub publisher: Publisher,
    pub replies: Replies,
    pub topology: Topology,
    pub database: PgPool,
    pub cache: Cache,
    pub secrets: Arc<Secrets>,
    /// The time to wait for an outcome. The caller can prefer a shorter time.
    pub wait: Duration,
    pub queue_waits: QueueWaits,
    /// A command whose queue needs longer is refused.
    pub longest_queue_wait: Duration,
}

impl Commands {
    /// Publishes the command and waits for its outcome.
    ///
    /// # Errors
    /// The refusal; 422 if the key belongs to another request; 503 if the queue is too long, if the command was not
    /// accepted, or if this is not known.
    pub(crate) async fn send<C, const APPLIED: u16>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<CommandResponse<C::Output, APPLIED>, Problem>
    where
        C: Command,
    {
        respond(self.submit(request, actor, command).await?)
    }

    /// Publishes a command and returns its output, for endpoints whose responses hold secrets. `Idempotency-Key` and `Prefer` have
    /// no effect.
    ///
    /// # Errors
    /// As [`Commands::send_for_output`].
    pub(crate) async fn send_and_wait<C>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<C::Output, Problem>
    where
        C: Command,
        C::Output: DeserializeOwned,
    {
        self.send_for_output(&request.without_key(), actor, command).await
    }

    /// Publishes a command and returns its output, for endpoints that need it for their response. A repeated request with the same
    /// `Idempotency-Key` gets the output of the first one. `Prefer` has no effect.
    ///
    /// # Errors
    /// As [`Commands::send`], and 503 if the outcome is not known in time.
    pub(crate) async fn send_for_output<C>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<C::Output, Problem>
    where
        C: Command,
        C::Output: DeserializeOwned,
    {
        let request = CommandRequest { prefer: Prefer::default(), ..request.clone() };
        let (operation_id, completed) = self.submit(&request, actor, command).await?;
        let unknown = || {
            Problem::unavailable("outcome_unknown", "The outcome is not known yet. Try again.")
                .about(operation_id)
        };
        match completed.ok_or_else(unknown)?.outcome {
            Outcome::Applied(output) => serde_json::from_str(output.get()).map_err(|_| unknown()),
            Outcome::Refused(refused) => Err(refused.into()),
        }
    }

    /// Publishes a command and does not wait for its outcome.
    ///
    /// # Errors
    /// 503 if the command was not accepted, or if this is not known.
    pub(crate) async fn enqueue<C: Command>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<(), Problem> {
        let envelope = self.envelope(request, actor, command);
        record_command(envelope.operation_id, envelope.command.name());
        self.publish(&envelope, None).await.map_err(|error| {
            tracing::warn!(%error, "command not accepted");
            Problem::unavailable(
                "queue_unavailable",
                "It is not known whether this was accepted. Send it again.",
            )
        })
    }

    /// The response to an earlier request with the same idempotency key, if its outcome is known.
    ///
    /// # Errors
    /// As [`Commands::send`].
    pub(crate) async fn find_response<T, const APPLIED: u16>(
        &self,
        request: &CommandRequest,
        actor: Actor,
    ) -> Result<Option<CommandResponse<T, APPLIED>>, Problem> {
        let key_uses = self.key_uses(request, actor);
        let first = self.find_first_use(&key_uses, actor).await?;
        first.map(|first| respond(self.named(first, actor))).transpose()
    }

    async fn submit<C: Command>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<Submitted, Problem> {
        let key_uses = self.key_uses(request, actor);
        let mut envelope = self.envelope(request, actor, command);
        envelope.version = Envelope::<C::Domain>::version(&key_uses);
        envelope.key_uses = key_uses;
        let wait = self.queue_waits.wait_in(&self.topology.queue_for(&envelope.command, envelope.actor));
        // The worker finds a repeated request, too. This is only faster if its queue is long.
        if wait > Duration::ZERO
            && let Some(first) = self.find_first(&envelope).await?
        {
            return Ok(first);
        }
        self.check_queue(&envelope, wait)?;
        record_command(envelope.operation_id, envelope.command.name());
        let submitted = self.publish_and_wait(request, &envelope).await;
        if submitted.as_ref().is_ok_and(|(_, completed)| completed.is_some() || request.prefer.respond_async)
        {
            return submitted;
        }
        // Without the broker or a worker, a repeated request still gets the outcome of the first one.
        match self.find_first(&envelope).await {
            Ok(Some(first)) => Ok(first),
            Err(reused) if reused.status.is_client_error() => Err(reused),
            Ok(None) | Err(_) => submitted,
        }
    }

    /// The first operation with the idempotency key of the command, if its outcome is known.
    async fn find_first<D: Domain>(&self, envelope: &Envelope<D>) -> Result<Option<Submitted>, Problem> {
        let first = self.find_first_use(&envelope.key_uses, envelope.actor).await?;
        Ok(first.map(|first| {
            record_command(first.operation_id, envelope.command.name());
            self.named(first, envelope.actor)
        }))
    }

    /// The operation that the response names: that of the first request with the key, if it has been made under a current secret.
    fn named(&self, completed: CompletedOperation, actor: Actor) -> Submitted {
        let first = completed.repeats.filter(|first| self.secrets.is_made_for(*first, actor));
        (first.unwrap_or(completed.operation_id), Some(completed))
    }

    /// Refuses a command that would wait for too long.
    fn check_queue<D: Domain>(&self, envelope: &Envelope<D>, wait: Duration) -> Result<(), Problem> {
        if wait <= self.longest_queue_wait || envelope.command.is_always_accepted() {
            return Ok(());
        }
        let problem =
            Problem::unavailable("queue_too_long", "Too many commands wait at the moment. Try again later.");
        // Later there is room for this command, if no others take it.
        let retry_after = (wait - self.longest_queue_wait).as_secs().clamp(1, LONGEST_RETRY_AFTER);
        Err(Problem { retry_after: Some(retry_after), ..problem })
    }

    fn key_uses(&self, request: &CommandRequest, actor: Actor) -> Vec<KeyUse> {
        let request_line = (&*request.method, &*request.path, &*request.body.0);
        let key = request.idempotency_key.as_deref();
        key.map(|key| self.secrets.key_uses(actor, key, request_line)).unwrap_or_default()
    }

    async fn publish_and_wait<D: Domain>(
        &self,
        request: &CommandRequest,
        envelope: &Envelope<D>,
    ) -> Result<Submitted, Problem> {
        let operation_id = envelope.operation_id;
        let deadline = Instant::now() + request.prefer.wait.map_or(self.wait, |wait| wait.min(self.wait));
        let mut waiter = self.replies.register(operation_id);
        let reply_to = if request.prefer.respond_async { None } else { self.replies.queue() };
        let published = self.publish(envelope, reply_to).await;
        if request.prefer.respond_async && published.is_ok() {
            return Ok((operation_id, None));
        }
        if let Err(error @ (PublishError::Unavailable | PublishError::Rejected)) = published {
            tracing::warn!(%error, "command not accepted");
            return Err(Problem::unavailable(
                "queue_unavailable",
                "The command was not accepted. Try again.",
            ));
        }
        let completed = tokio::select! {
            completed = waiter.completed() => Some(completed),
            completed = self.poll_operation(operation_id, envelope.actor) => Some(completed),
            () = sleep_until(deadline) => None,
        };
        match completed {
            Some(completed) => Ok(self.named(completed, envelope.actor)),
            None if published.is_err() => {
                let detail = "It is not known whether the command was accepted. Try again with the same Idempotency-Key.";
                Err(Problem::unavailable("acceptance_unknown", detail).about(operation_id))
            }
            None => Ok((operation_id, None)),
        }
    }

    /// The command of a request without an idempotency key.
    fn envelope<C: Command>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Envelope<C::Domain> {
        Envelope {
            version: Envelope::<C::Domain>::version(&[]),
            operation_id: self.secrets.new_operation(actor),
            actor,
            accepted_at: Utc::now(),
            request_id: request.request_id.clone(),
            traceparent: request.traceparent.clone(),
            fingerprint: self.secrets.fingerprint(&request.method, &request.path, &request.body.0),
            key_uses: vec![],
            command: command.into(),
        }
    }

    async fn publish<D: Domain>(
        &self,
        envelope: &Envelope<D>,
        reply_to: Option<String>,
    ) -> Result<(), PublishError> {
        let body = serde_json::to_vec(envelope).map_err(|_| PublishError::Rejected)?;
        let message = Message {
            queue: self.topology.queue_for(&envelope.command, envelope.actor),
            message_id: envelope.operation_id.to_string(),
            reply_to,
            body,
            is_command: true,
        };
        let published = self.publisher.publish(message).await;
        let result = if published.is_ok() { "accepted" } else { "failed" };
        metrics::counter!("guildhall_commands_published_total", "domain" => D::NAME, "result" => result)
            .increment(1);
        published
    }
}

fn respond<T, const APPLIED: u16>(
    (operation_id, completed): Submitted,
) -> Result<CommandResponse<T, APPLIED>, Problem> {
    match completed.map(|completed| completed.outcome) {
        Some(Outcome::Applied(output)) => Ok(CommandResponse::applied(operation_id, output)),
        Some(Outcome::Refused(refused)) => Err(Problem::from(refused).about(operation_id)),
        None => Ok(CommandResponse::pending(operation_id)),
    }
}
