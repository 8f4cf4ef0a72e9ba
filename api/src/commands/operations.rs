//! The outcome of a command, for its sender.

use guildhall_common::contract::command::{Actor, OperationId, Outcome};
use poem_openapi::{
    Enum, Object, OpenApi,
    types::{Any, Example},
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    auth::OptionalCaller,
    commands::{find::StoredOperation, publish::Commands},
    http::{
        api_refusal::ApiRefusal,
        parameters::Path,
        problem::{Problem, ProblemBody},
        read_response::ReadResponse,
    },
    openapi::Tag,
};

pub(crate) struct Operations {
    pub commands: Commands,
}

/// The status of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum OperationStatus {
    /// The command took effect. The result is present.
    Applied,
    /// The command is queued. Its outcome is not known yet.
    Pending,
    /// The rules did not allow the command. The problem is present.
    Refused,
}

/// An accepted command and its outcome.
#[derive(Debug, Serialize, Object)]
#[oai(example)]
pub(crate) struct OperationDetails {
    /// The id of the operation.
    pub operation_id: OperationId,
    pub status: OperationStatus,
    /// The `result` of the command's own endpoint. It is present only if the command was applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Any<Value>>,
    /// The problem of the command's own endpoint. It is present only if the command was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
}

impl Example for OperationDetails {
    fn example() -> Self {
        Self {
            operation_id: Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5).into(),
            status: OperationStatus::Applied,
            result: Some(Any(serde_json::json!({ "guild_id": 1 }))),
            problem: None,
        }
    }
}

#[OpenApi(tag = "Tag::Operations")]
impl Operations {
    /// Get the outcome of a command
    ///
    /// Only the sender of the command can read it. The site stores operations for 30 days, or as configured. An operation stays `pending`
    /// for ever if its command was not accepted, or if its outcome is not stored any more: so stop after some minutes, and send
    /// the command again with its `Idempotency-Key`.
    #[oai(path = "/operations/:id", method = "get", operation_id = "operation_find")]
    async fn find(
        &self,
        caller: OptionalCaller,
        id: Path<OperationId>,
    ) -> Result<ReadResponse<OperationDetails>, Problem> {
        let operation_id = id.0;
        let caller = caller.0.map_or(Actor::Anonymous, |caller| caller.actor);
        // A registration has no owner: its account does not exist yet.
        let owner = [caller, Actor::Anonymous]
            .into_iter()
            .find(|actor| self.commands.secrets.is_made_for(operation_id, *actor));
        let Some(owner) = owner else {
            return Err(ApiRefusal::OperationNotFound.into());
        };
        let mut state =
            OperationDetails { operation_id, status: OperationStatus::Pending, result: None, problem: None };
        if let Some(StoredOperation::Completed(completed)) =
            self.commands.find_operation(operation_id, owner).await?
        {
            match completed.outcome {
                Outcome::Applied(output) => {
                    state.status = OperationStatus::Applied;
                    state.result = serde_json::from_str(output.get()).ok().map(Any);
                }
                Outcome::Refused(refused) => {
                    state.status = OperationStatus::Refused;
                    state.problem = Some(Problem::from(refused).about(operation_id).body());
                }
            }
        }
        ReadResponse::private(&state)
    }
}
