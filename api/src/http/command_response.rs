//! The response to a command.

use std::marker::PhantomData;

use guildhall_common::contract::command::{Declaration, OperationId};
use poem::{IntoResponse, Response, http::StatusCode};
use poem_openapi::{
    ApiResponse, Enum, Object,
    registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
    types::{Example, ParseFromJSON, ToJSON, Type},
};
use serde::Serialize;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::http::{json::JSON, sent_command::SentCommand};

/// The progress of an accepted operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Enum)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub(crate) enum OperationProgress {
    /// The command took effect. The result is present.
    Applied,
    /// The command is queued. `/operations/{id}` returns the outcome later.
    Pending,
}

/// An accepted command and its result.
#[derive(Debug, Object)]
#[oai(example)]
pub(crate) struct Operation<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> {
    /// The id of the operation, for `/operations/{id}`.
    pub operation_id: OperationId,
    pub status: OperationProgress,
    /// The result of the command. It is missing while the operation is pending.
    pub result: Option<T>,
}

impl<T: Type + ParseFromJSON + ToJSON + Send + Sync + Example> Example for Operation<T> {
    fn example() -> Self {
        Self {
            operation_id: Uuid::from_u128(0x0192_f0c1_2a3b_7c4d_8e5f_6071_8293_a4b5).into(),
            status: OperationProgress::Applied,
            result: Some(T::example()),
        }
    }
}

/// The response to the command `C`: the status `APPLIED` if the command took effect, 202 while it is pending.
pub(crate) struct CommandResponse<C, const APPLIED: u16 = 200> {
    operation_id: OperationId,
    result: Option<Box<RawValue>>,
    command: PhantomData<C>,
}

impl<C, const APPLIED: u16> CommandResponse<C, APPLIED> {
    pub(crate) fn applied(operation_id: OperationId, result: Box<RawValue>) -> Self {
        Self { operation_id, result: Some(result), command: PhantomData }
    }

    pub(crate) fn pending(operation_id: OperationId) -> Self {
        Self { operation_id, result: None, command: PhantomData }
    }
}

impl<C: Send, const APPLIED: u16> IntoResponse for CommandResponse<C, APPLIED> {
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
                .body(format!(r#"{{"operation_id":"{operation_id}","status":"pending"}}"#)),
        }
    }
}

impl<C: Declaration, const APPLIED: u16> ApiResponse for CommandResponse<C, APPLIED>
where
    C::Output: Type + ParseFromJSON + ToJSON + Example,
{
    fn meta() -> MetaResponses {
        let response = |status, description, headers| MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content: vec![MetaMediaType { content_type: JSON, schema: Operation::<C::Output>::schema_ref() }],
            headers,
        };
        let location = MetaHeader {
            name: "Location".to_owned(),
            description: Some("The path that returns the outcome of the operation.".to_owned()),
            required: true,
            deprecated: false,
            schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
        };
        MetaResponses {
            responses: vec![
                response(APPLIED, "The command took effect.", C::header().into_iter().collect()),
                response(
                    202,
                    "The command is stored in the queue. Its outcome is not known yet.",
                    vec![location],
                ),
            ],
        }
    }

    fn register(registry: &mut Registry) {
        Operation::<C::Output>::register(registry);
    }
}
