//! Commands of endpoints, and the responses with their outcomes.

use guildhall_common::contract::command::{Actor, Command, Outcome};
use serde::de::DeserializeOwned;

use crate::{
    auth::SenderOf,
    commands::publish::{Commands, Submitted},
    http::{
        command_request::{CommandRequest, Prefer},
        command_response::CommandResponse,
        problem::Problem,
    },
};

impl Commands {
    /// Publishes the command of a caller, and waits for its outcome.
    ///
    /// # Errors
    /// The refusal; 422 if the key belongs to another request; 503 if the queue is too long, if the command was not
    /// accepted, or if this is not known.
    pub(crate) async fn send<C: Command, const APPLIED: u16>(
        &self,
        request: &CommandRequest,
        sender: &SenderOf<C>,
        command: C,
    ) -> Result<CommandResponse<C, APPLIED>, Problem> {
        respond(self.submit(request, sender.0.actor, command).await?)
    }

    /// As [`Commands::send`], for a request without a token.
    pub(crate) async fn send_from_visitor<C: Command, const APPLIED: u16>(
        &self,
        request: &CommandRequest,
        command: C,
    ) -> Result<CommandResponse<C, APPLIED>, Problem> {
        respond(self.submit(request, Actor::Anonymous, command).await?)
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

    /// The response to an earlier request with the same idempotency key, if its outcome is known.
    ///
    /// # Errors
    /// As [`Commands::send`].
    pub(crate) async fn find_response<C, const APPLIED: u16>(
        &self,
        request: &CommandRequest,
        actor: Actor,
    ) -> Result<Option<CommandResponse<C, APPLIED>>, Problem> {
        let key_uses = self.key_uses(request, actor);
        let first = self.find_first_use(&key_uses, actor).await?;
        first.map(|first| respond(self.named(first, actor))).transpose()
    }
}

fn respond<C, const APPLIED: u16>(
    (operation_id, completed): Submitted,
) -> Result<CommandResponse<C, APPLIED>, Problem> {
    match completed.map(|completed| completed.outcome) {
        Some(Outcome::Applied(output)) => Ok(CommandResponse::applied(operation_id, output)),
        Some(Outcome::Refused(refused)) => Err(Problem::from(refused).about(operation_id)),
        None => Ok(CommandResponse::pending(operation_id)),
    }
}
