//! The only HTTP error: a problem of RFC 9457.

use crate::http::request_data::current_request_id;
use std::{borrow::Cow, fmt::Display};

use guildhall_common::contract::command::{RefusalKind, Refused};
use poem::{IntoResponse, Response, error::ResponseError, http::StatusCode};
use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaResponses, Registry},
    types::Type,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// What went wrong, for programs and for people (RFC 9457).
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[oai(rename = "Problem", example)]
pub(crate) struct ProblemBody {
    /// The code as a URN.
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    /// The status in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What happened in this case, for people.
    pub detail: String,
    /// What happened, for programs; never changes its meaning.
    pub code: String,
    /// The `X-Request-Id` of the request, for asking about it.
    pub request_id: String,
    /// The operation that it is about, if one was accepted or may have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<Uuid>,
    /// What is wrong with which field of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[oai(default)]
    pub errors: Vec<FieldError>,
}

/// What is wrong with one field of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Object)]
pub(crate) struct FieldError {
    /// JSON pointer (RFC 6901) into the body, or the name of the parameter.
    pub pointer: String,
    pub detail: String,
}

/// An error on its way to the caller.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {detail}")]
pub(crate) struct Problem {
    pub status: StatusCode,
    pub code: Cow<'static, str>,
    pub detail: String,
    pub operation_id: Option<Uuid>,
    pub errors: Vec<FieldError>,
    /// Seconds after which trying again may help.
    pub retry_after: Option<u64>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, detail: impl Into<String>) -> Self {
        Self {
            status,
            code: code.into(),
            detail: detail.into(),
            operation_id: None,
            errors: vec![],
            retry_after: None,
        }
    }

    pub(crate) fn not_found(code: &'static str, detail: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// A body or a parameter that is not what the document says.
    pub(crate) fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let errors = vec![FieldError { pointer: pointer.into(), detail: detail.into() }];
        let mut problem =
            Self::new(StatusCode::BAD_REQUEST, "invalid_request", "The request is not as the document says.");
        problem.errors = errors;
        problem
    }

    /// Something that the request needs is away.
    pub(crate) fn unavailable(code: &'static str, detail: &str) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail) }
    }

    pub(crate) fn method_not_allowed() -> Self {
        let detail = "This path does not take this method.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
    }

    /// A fault of ours: told to the log, and to the caller only that it is.
    pub(crate) fn fault(what: &'static str, error: &dyn Display) -> Self {
        tracing::error!(%error, what, "a fault of ours");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "This is a fault of ours.")
    }

    pub(crate) fn about(mut self, operation_id: Uuid) -> Self {
        self.operation_id = Some(operation_id);
        self
    }

    pub(crate) fn body(&self) -> ProblemBody {
        ProblemBody {
            kind: format!("urn:guildhall:problem:{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code.to_string(),
            request_id: current_request_id(),
            operation_id: self.operation_id,
            errors: self.errors.clone(),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self { code: refused.code.into(), ..Self::new(status(refused.kind), "", refused.detail) }
    }
}

/// What HTTP says of a refusal.
pub(crate) fn status(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::Conflict => StatusCode::CONFLICT,
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        // It cannot be read the next time, either: who is told to try again would do so for ever.
        if matches!(error, sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. }) {
            return Self::fault("what is stored cannot be read", &error);
        }
        tracing::warn!(%error, "Postgres failed");
        Self::unavailable("database_unavailable", "The database does not answer; try again.")
    }
}

impl ResponseError for Problem {
    fn status(&self) -> StatusCode {
        self.status
    }

    fn as_response(&self) -> Response {
        let body = serde_json::to_vec(&self.body()).unwrap_or_default();
        let mut response = Response::builder().status(self.status).content_type(MEDIA_TYPE);
        if let Some(seconds) = self.retry_after {
            response = response.header("Retry-After", seconds);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response = response.header("WWW-Authenticate", "Bearer");
        }
        response.body(body).into_response()
    }
}

/// Which problems an operation can answer depends on what it takes, and is
/// documented in one place: see [`crate::document`].
impl ApiResponse for Problem {
    fn meta() -> MetaResponses {
        MetaResponses { responses: vec![] }
    }

    fn register(registry: &mut Registry) {
        ProblemBody::register(registry);
    }
}

guildhall_common::examples! {
    ProblemBody {
        "type": "urn:guildhall:problem:guild_name_taken", "title": "Conflict", "status": 409,
        "detail": "Another guild has this name.", "code": "guild_name_taken",
        "request_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5",
        "operation_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b6",
        "errors": [{ "pointer": "/name", "detail": "must have 3 to 30 characters" }]
    }
}
