//! Publishing commands and waiting for their outcomes.

use std::{sync::Arc, time::Duration};

use chrono::Utc;
use guildhall_common::{
    contract::{
        command::{Actor, Command, CompletedOperation, Domain, Envelope, OperationId},
        idempotency_key::KeyUse,
    },
    platform::{
        bus::{Message, PublishError, Publisher, Replies, Topology},
        cache::Cache,
        partitions::QueueWaits,
    },
};
use sqlx::PgPool;
use tokio::time::{Instant, sleep_until};

use crate::{
    auth::keys::Secrets,
    commands::pace::Pace,
    http::{command_request::CommandRequest, problem::Problem, request_span::record_command},
};

/// The longest `Retry-After` in seconds. A queue may become shorter sooner than its wait says.
const LONGEST_RETRY_AFTER: u64 = 60;

/// An accepted operation, and its outcome if it is known.
pub(super) type Submitted = (OperationId, Option<CompletedOperation>);

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
    pub pace: Pace,
    /// A command whose queue needs longer is refused.
    pub longest_queue_wait: Duration,
}

impl Commands {
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
        let queue = self.topology.queue_for(&envelope.command, envelope.actor);
        self.publish(&envelope, queue, None).await.map_err(|error| {
            tracing::warn!(%error, "command not accepted");
            Problem::unavailable(
                "queue_unavailable",
                "It is not known whether this was accepted. Send it again.",
            )
        })
    }

    pub(super) async fn submit<C: Command>(
        &self,
        request: &CommandRequest,
        actor: Actor,
        command: C,
    ) -> Result<Submitted, Problem> {
        let key_uses = self.key_uses(request, actor);
        let mut envelope = self.envelope(request, actor, command);
        envelope.key_uses = key_uses;
        let queue = self.topology.queue_for(&envelope.command, envelope.actor);
        let wait = self.queue_waits.wait_in(&queue);
        // The worker finds a repeated request, too. This is only faster if its queue is long.
        if wait > Duration::ZERO
            && let Some(first) = self.find_first(&envelope).await?
        {
            return Ok(first);
        }
        self.check_queue(&envelope, wait)?;
        record_command(envelope.operation_id, envelope.command.name());
        let submitted = self.publish_and_wait(request, &envelope, queue).await;
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
    pub(super) fn named(&self, completed: CompletedOperation, actor: Actor) -> Submitted {
        let first = completed.repeats.filter(|first| self.secrets.is_made_for(*first, actor));
        (first.unwrap_or(completed.operation_id), Some(completed))
    }

    /// Refuses a command that would wait for too long.
    fn check_queue<D: Domain>(&self, envelope: &Envelope<D>, wait: Duration) -> Result<(), Problem> {
        if wait <= self.longest_queue_wait || envelope.command.command().declaration().is_always_accepted {
            return Ok(());
        }
        let problem =
            Problem::unavailable("queue_too_long", "Too many commands wait at the moment. Try again later.");
        // Later there is room for this command, if no others take it.
        let retry_after = (wait - self.longest_queue_wait).as_secs().clamp(1, LONGEST_RETRY_AFTER);
        Err(Problem { retry_after: Some(retry_after), ..problem })
    }

    pub(super) fn key_uses(&self, request: &CommandRequest, actor: Actor) -> Vec<KeyUse> {
        let request_line = (&*request.method, &*request.path, &*request.body.0);
        let key = request.idempotency_key.as_deref();
        key.map(|key| self.secrets.key_uses(actor, key, request_line)).unwrap_or_default()
    }

    async fn publish_and_wait<D: Domain>(
        &self,
        request: &CommandRequest,
        envelope: &Envelope<D>,
        queue: String,
    ) -> Result<Submitted, Problem> {
        let operation_id = envelope.operation_id;
        let deadline = Instant::now() + request.prefer.wait.map_or(self.wait, |wait| wait.min(self.wait));
        let mut waiter = self.replies.register(operation_id);
        let respond_async = request.prefer.respond_async;
        let measurement = if respond_async { self.pace.enter(&queue).await } else { None };
        let needs_reply = !respond_async || measurement.is_some();
        let reply_to = if needs_reply { self.replies.queue() } else { None };
        let published = self.publish(envelope, queue, reply_to).await;
        if respond_async && published.is_ok() {
            if let Some(measurement) = measurement {
                tokio::spawn(measurement.follow(waiter));
            }
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
            version: Envelope::<C::Domain>::VERSION,
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
        queue: String,
        reply_to: Option<String>,
    ) -> Result<(), PublishError> {
        let body = serde_json::to_vec(envelope).map_err(|_| PublishError::Rejected)?;
        let message = Message {
            queue,
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
