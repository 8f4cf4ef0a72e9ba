//! Sending a command and answering with what became of it.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use chrono::Utc;
use guildhall_common::{
    bus::{Message, PublishError, Publisher, Replies, Topology},
    cache::{Cache, Key},
    command::{Actor, Command, Envelope, OperationId, Outcome, Settled},
    nullable::Nullable,
};
use poem::{FromRequest, IntoResponse, Request, RequestBody, Response, Result, http::StatusCode};
use poem_openapi::{
    ApiResponse, Enum, Object,
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::{Example, ParseFromJSON, ToJSON, Type},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use sqlx::{PgPool, types::Json};
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until};
use uuid::Uuid;

use crate::{
    manners::{RawBody, request_id},
    problem::Problem,
    secret::Secret,
};

pub(crate) const JSON: &str = "application/json";

/// How often the operation's row is looked at while no reply comes.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Everything about a request that is not its command.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    method: String,
    path: String,
    body: RawBody,
    request_id: String,
    traceparent: Option<String>,
    idempotency_key: Option<String>,
    prefer: Prefer,
}

/// RFC 7240, as far as it is honoured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Prefer {
    respond_async: bool,
    wait: Option<Duration>,
}

impl<'a> FromRequest<'a> for Call {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let idempotency_key = request.header("Idempotency-Key").map(ToOwned::to_owned);
        if let Some(key) = &idempotency_key
            && !((1..=255).contains(&key.len())
                && key.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' '))
        {
            return Err(
                Problem::invalid("Idempotency-Key", "must have 1 to 255 visible ASCII characters").into()
            );
        }
        Ok(Self {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            body: request.data::<RawBody>().cloned().unwrap_or_default(),
            request_id: request_id::current(),
            traceparent: request.header("traceparent").map(ToOwned::to_owned),
            idempotency_key,
            prefer: Prefer::parse(
                request.headers().get_all("Prefer").iter().filter_map(|value| value.to_str().ok()),
            ),
        })
    }
}

impl Prefer {
    fn parse<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut prefer = Self::default();
        for preference in values.flat_map(|value| value.split(',')) {
            let preference = preference.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            match preference.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
                Some(("wait", seconds)) => prefer.wait = seconds.parse().ok().map(Duration::from_secs),
                None if preference == "respond-async" => prefer.respond_async = true,
                _ => {}
            }
        }
        prefer
    }
}

/// How far an operation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum OperationProgress {
    /// It took effect; the result is there.
    Applied,
    /// It is accepted and will be settled; ask `/operations/{id}`.
    Pending,
}

/// An accepted command and its result.
#[derive(Debug, Object)]
#[oai(example)]
pub(crate) struct Operation<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> {
    /// Ask `/operations/{id}` with it.
    pub operation_id: Uuid,
    pub status: OperationProgress,
    /// What came of it; null while pending.
    pub result: Nullable<T>,
}

impl<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> Example for Operation<T> {
    fn example() -> Self {
        Self {
            operation_id: Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5),
            status: OperationProgress::Applied,
            result: Nullable(Some(T::example())),
        }
    }
}

/// The answer to a command: its success status when applied, 202 when pending.
pub(crate) struct Answer<T, const APPLIED: u16 = 200> {
    operation_id: OperationId,
    result: Option<Box<RawValue>>,
    output: PhantomData<T>,
}

impl<T, const APPLIED: u16> Answer<T, APPLIED> {
    fn applied(operation_id: OperationId, result: Box<RawValue>) -> Self {
        Self { operation_id, result: Some(result), output: PhantomData }
    }

    fn pending(operation_id: OperationId) -> Self {
        Self { operation_id, result: None, output: PhantomData }
    }
}

impl<T: Send, const APPLIED: u16> IntoResponse for Answer<T, APPLIED> {
    fn into_response(self) -> Response {
        let Self { operation_id, result, .. } = self;
        let response = Response::builder().content_type(JSON);
        match result {
            Some(result) => response
                .status(StatusCode::from_u16(APPLIED).unwrap_or(StatusCode::OK))
                .body(format!(r#"{{"operation_id":"{operation_id}","status":"applied","result":{result}}}"#)),
            None => response
                .status(StatusCode::ACCEPTED)
                .header("Location", format!("/operations/{operation_id}"))
                .header("Retry-After", 1)
                .body(format!(r#"{{"operation_id":"{operation_id}","status":"pending","result":null}}"#)),
        }
    }
}

impl<T: Type + ParseFromJSON + ToJSON + Example, const APPLIED: u16> ApiResponse for Answer<T, APPLIED> {
    fn meta() -> MetaResponses {
        let response = |status, description, headers| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType { content_type: JSON, schema: Operation::<T>::schema_ref() }],
            headers,
        };
        let location = MetaHeader {
            name: "Location".to_owned(),
            description: Some("Where to ask how far it is.".to_owned()),
            required: true,
            deprecated: false,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        };
        MetaResponses {
            responses: vec![
                response(APPLIED, "It took effect.", vec![]),
                response(202, "It is accepted and safe, and not settled yet.", vec![location]),
            ],
        }
    }

    fn register(registry: &mut Registry) {
        Operation::<T>::register(registry);
    }
}

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
    Settled(Settled),
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
        call: &Call,
        actor: Actor,
        command: C,
    ) -> Result<Answer<C::Output, APPLIED>, Problem>
    where
        C: Command,
    {
        let (operation_id, settled) = self.submit(call, actor, command).await?;
        match settled.map(|settled| settled.outcome) {
            Some(Outcome::Applied(output)) => Ok(Answer::applied(operation_id, output)),
            Some(Outcome::Refused(refused)) => Err(Problem::from(refused).about(operation_id.0)),
            None => Ok(Answer::pending(operation_id)),
        }
    }

    /// The same for the endpoints that must know the outcome to answer at all.
    ///
    /// # Errors
    /// As [`Commands::send`], and 503 when the outcome is not known in time.
    pub(crate) async fn send_and_know<C>(
        &self,
        call: &Call,
        actor: Actor,
        command: C,
    ) -> Result<C::Output, Problem>
    where
        C: Command,
        C::Output: DeserializeOwned,
    {
        let call = Call { idempotency_key: None, prefer: Prefer::default(), ..call.clone() };
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
        call: &Call,
        actor: Actor,
        command: C,
    ) -> Result<(OperationId, Option<Settled>), Problem> {
        let fingerprint = self.secret.fingerprint(&call.method, &call.path, &call.body.0);
        let operation_id = match &call.idempotency_key {
            Some(key) => self.secret.keyed_operation(actor, key),
            None => self.secret.new_operation(actor),
        };
        let same_request = |settled: Settled| {
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
        let envelope = Envelope {
            version: Envelope::<C::Domain>::VERSION,
            operation_id,
            actor,
            accepted_at: Utc::now(),
            request_id: call.request_id.clone(),
            traceparent: call.traceparent.clone(),
            fingerprint: fingerprint.clone(),
            command: command.into(),
        };
        let deadline = Instant::now() + call.prefer.wait.map_or(self.wait, |wait| wait.min(self.wait));
        let mut waiter = self.replies.expect(operation_id);
        let published = self.publish(&envelope).await;
        if call.prefer.respond_async && published.is_ok() {
            return Ok((operation_id, None));
        }
        if let Err(error @ (PublishError::Unavailable | PublishError::Rejected)) = published {
            tracing::warn!(%error, "a command was not accepted");
            return Err(Problem::unavailable("queue_unavailable", "Nothing was accepted; try again."));
        }
        let settled = tokio::select! {
            settled = waiter.settled() => Some(settled),
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

    async fn publish<D: guildhall_common::command::Domain>(
        &self,
        envelope: &Envelope<D>,
    ) -> Result<(), PublishError> {
        let body = serde_json::to_vec(envelope).map_err(|_| PublishError::Rejected)?;
        let message = Message {
            exchange: String::new(),
            routing_key: self.topology.commands::<D>(),
            mandatory: true,
            message_id: envelope.operation_id.to_string(),
            reply_to: self.replies.queue(),
            body,
        };
        let published = self.publisher.publish(message).await;
        let result = if published.is_ok() { "accepted" } else { "failed" };
        metrics::counter!("guildhall_commands_published_total", "domain" => D::NAME, "result" => result)
            .increment(1);
        published
    }

    /// Looks at the row until it is there: the reply may have been lost.
    async fn watch(&self, operation_id: OperationId, actor: Actor) -> Settled {
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
            r#"select encode(fingerprint, 'hex') as "fingerprint!", outcome as "outcome: Json<Outcome>", stale_keys
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
        let stale: Vec<Key> = row.stale_keys.into_iter().map(Key::stored).collect();
        if !self.cache.is_settled(&self.database, &stale).await? {
            return Ok(Some(Known::Pending));
        }
        Ok(Some(Known::Settled(Settled {
            operation_id,
            fingerprint: row.fingerprint,
            outcome: row.outcome.0,
        })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_read_as_rfc_7240_writes_them() {
        let read = |value| Prefer::parse(std::iter::once(value));
        assert_eq!(
            read("respond-async, wait=10"),
            Prefer { respond_async: true, wait: Some(Duration::from_secs(10)) }
        );
        assert_eq!(
            read("Wait = 2; foo=bar"),
            Prefer { respond_async: false, wait: Some(Duration::from_secs(2)) }
        );
        assert_eq!(read("handling=lenient, wait=soon"), Prefer::default());
    }
}
