//! What became of a command, for who sent it.

use guildhall_common::contract::command::{Actor, OperationId, Outcome};
use poem_openapi::{
    Enum, Object, OpenApi,
    param::Path,
    types::{Any, Example},
};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::{
    auth::OptionalCaller,
    commands::{Commands, Known},
    http::{
        problem::{Problem, ProblemBody},
        read_response::ReadResponse,
    },
    openapi::Tag,
};

pub(crate) struct Operations {
    pub commands: Commands,
}

/// How an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum OperationStatus {
    /// It took effect; the result is there.
    Applied,
    /// It is accepted and will be settled.
    Pending,
    /// The rules did not allow it; the problem tells why.
    Refused,
}

/// An accepted command and what became of it.
#[derive(Debug, Serialize, Object)]
#[oai(example)]
pub(crate) struct OperationState {
    pub operation_id: Uuid,
    pub status: OperationStatus,
    /// As the command's own endpoint answers it; missing unless applied.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Any<Value>>,
    /// As the command's own endpoint answers it; missing unless refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<ProblemBody>,
}

impl Example for OperationState {
    fn example() -> Self {
        Self {
            operation_id: Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5),
            status: OperationStatus::Applied,
            result: Some(Any(serde_json::json!({ "guild_id": 1 }))),
            problem: None,
        }
    }
}

#[OpenApi(tag = "Tag::Operations")]
impl Operations {
    /// Ask how far an operation is
    ///
    /// Answers whoever sent the command, for as long as operations are kept (30 days unless set otherwise).
    #[oai(path = "/operations/:id", method = "get", operation_id = "operation_find")]
    async fn find(
        &self,
        visitor: OptionalCaller,
        id: Path<Uuid>,
    ) -> Result<ReadResponse<OperationState>, Problem> {
        let operation_id = OperationId(id.0);
        let caller = visitor.0.map_or(Actor::Nobody, |caller| caller.actor);
        // Registering is done before there is an account to own it.
        let owner = [caller, Actor::Nobody]
            .into_iter()
            .find(|actor| self.commands.secret.made_for(operation_id, *actor));
        let Some(owner) = owner else {
            return Err(Problem::not_found("operation_not_found", "There is no such operation of yours."));
        };
        let mut state = OperationState {
            operation_id: id.0,
            status: OperationStatus::Pending,
            result: None,
            problem: None,
        };
        if let Some(Known::Settled(settled)) = self.commands.look_up(operation_id, owner).await? {
            match settled.outcome {
                Outcome::Applied(output) => {
                    state.status = OperationStatus::Applied;
                    state.result = serde_json::from_str(output.get()).ok().map(Any);
                }
                Outcome::Refused(refused) => {
                    state.status = OperationStatus::Refused;
                    state.problem = Some(Problem::from(refused).about(id.0).body());
                }
            }
        }
        ReadResponse::private(&state)
    }
}
