//! The trail of a request: the ids that connect the log lines of all processes about one request.

use std::{fmt::Display, future::Future};

use guildhall_common::contract::command::{Domain, Envelope, OperationId, Outcome};
use serde::{Deserialize, Serialize};
use tracing::{Instrument, Span};

tokio::task_local! {
    static CURRENT: Trail;
}

/// The request and the command that something belongs to. Jobs and deferred commands store it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trail {
    pub(crate) request_id: Option<String>,
    pub(crate) operation_id: Option<String>,
    /// The wire name of the command.
    pub(crate) command: Option<String>,
    /// The W3C `traceparent` of the request, if it had one.
    pub(crate) traceparent: Option<String>,
}

impl Trail {
    pub(crate) fn of<D: Domain>(envelope: &Envelope<D>) -> Self {
        Self {
            request_id: Some(envelope.request_id.clone()),
            operation_id: Some(envelope.operation_id.to_string()),
            command: Some(envelope.command.name().to_owned()),
            traceparent: envelope.traceparent.clone(),
        }
    }

    /// Reads as much as possible from a message that may not be decodable as an envelope.
    pub(crate) fn of_message(body: &[u8]) -> Self {
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct Head {
            request_id: Option<String>,
            operation_id: Option<String>,
            traceparent: Option<String>,
            command: CommandHead,
        }
        #[derive(Default, Deserialize)]
        #[serde(default)]
        struct CommandHead {
            name: Option<String>,
        }
        let head: Head = serde_json::from_slice(body).unwrap_or_default();
        Self {
            request_id: head.request_id,
            operation_id: head.operation_id,
            command: head.command.name,
            traceparent: head.traceparent,
        }
    }

    /// The trail of a deferred command that was stored without one, by an older version.
    pub(crate) fn of_stored(operation_id: OperationId, command: String) -> Self {
        Self { operation_id: Some(operation_id.to_string()), command: Some(command), ..Self::default() }
    }

    /// The trail of the current task. None outside of commands and their jobs.
    pub(crate) fn current() -> Option<Self> {
        CURRENT.try_with(Self::clone).ok()
    }

    /// Runs work on a command: its log lines and the jobs that it schedules get this trail.
    pub(crate) fn follow<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(self.clone(), work).instrument(self.span())
    }

    /// The span of log lines about the command. Its level is the highest one, so that no filter of log lines removes it.
    pub(crate) fn span(&self) -> Span {
        tracing::error_span!(
            "command",
            http.request.id = self.request_id,
            operation.id = self.operation_id,
            command = self.command,
            trace.id = self.trace_id(),
        )
    }

    /// The span of log lines about a job.
    pub(crate) fn job_span(&self, job: impl Display) -> Span {
        tracing::error_span!(
            "job",
            %job,
            http.request.id = self.request_id,
            operation.id = self.operation_id,
            command = self.command,
            trace.id = self.trace_id(),
        )
    }

    /// Logs the outcome of the command. A deferred command has none yet.
    pub(crate) fn log_outcome(&self, outcome: Option<&Outcome>) {
        self.span().in_scope(|| match outcome {
            None => tracing::info!("command deferred"),
            Some(Outcome::Applied(_)) => tracing::info!("command applied"),
            Some(Outcome::Refused(refused)) => tracing::info!(refusal.code = refused.code, "command refused"),
        });
    }

    /// The second part of the `traceparent`: <https://www.w3.org/TR/trace-context/#traceparent-header>.
    fn trace_id(&self) -> Option<&str> {
        self.traceparent.as_deref()?.split('-').nth(1)
    }
}

/// Runs a job with the trail that it was scheduled with, if there is one.
pub(crate) async fn run_job<T>(trail: Option<Trail>, job: impl Display, work: impl Future<Output = T>) -> T {
    let span = trail.clone().unwrap_or_default().job_span(job);
    match trail {
        Some(trail) => CURRENT.scope(trail, work).instrument(span).await,
        None => work.instrument(span).await,
    }
}

#[cfg(test)]
mod tests {
    use super::Trail;

    #[test]
    fn trail_is_read_from_a_message_with_an_unknown_command() {
        let body =
            br#"{"version":9,"request_id":"r","operation_id":"o","command":{"name":"guild.dance","body":{}},
                        "traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}"#;
        let trail = Trail::of_message(body);
        assert_eq!(trail.request_id.as_deref(), Some("r"));
        assert_eq!(trail.operation_id.as_deref(), Some("o"));
        assert_eq!(trail.command.as_deref(), Some("guild.dance"));
        assert_eq!(trail.trace_id(), Some("0af7651916cd43dd8448eb211c80319c"));
        assert_eq!(Trail::of_message(b"\xff"), Trail::default());
    }

    #[tokio::test]
    async fn trail_is_current_only_while_it_is_followed() {
        let trail = Trail { request_id: Some("r".to_owned()), ..Trail::default() };
        assert_eq!(trail.follow(async { Trail::current() }).await, Some(trail));
        assert_eq!(Trail::current(), None);
    }
}
