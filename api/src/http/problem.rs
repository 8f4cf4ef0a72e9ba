//! The only HTTP error: a problem of RFC 9457.

use std::{
    borrow::Cow,
    fmt::{self, Debug, Display, Formatter},
};

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::command::{OperationId, RefusalKind, Refused},
    invalid_value::{FieldErrorCode, FieldErrorParameters, InvalidValue},
    platform::db,
};
use poem::{IntoResponse, Response, error::ResponseError, http::StatusCode};
use poem_openapi::{
    ApiResponse, Object,
    registry::{MetaResponses, Registry},
    types::Type,
};
use serde::{Deserialize, Serialize};

use crate::http::request_data::current_request_id;

/// The media type of a problem.
pub(crate) const MEDIA_TYPE: &str = "application/problem+json";

/// An error for programs and for people (RFC 9457).
#[derive(Debug, Clone, Serialize, Deserialize, Object)]
#[oai(rename = "Problem", example)]
pub(crate) struct ProblemBody {
    /// The code as a URN.
    #[oai(rename = "type")]
    #[serde(rename = "type")]
    pub kind: String,
    /// The name of the HTTP status.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// A sentence for people about this case.
    pub detail: String,
    /// A stable code for programs.
    pub code: String,
    /// The `X-Request-Id` of the request. The operator of the site finds the request in the logs by it.
    pub request_id: String,
    /// The id of the operation, if it was accepted or may be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation_id: Option<OperationId>,
    /// With the code `second_factor_required` of a log-in: send it to `/auth/second-factor` or `/auth/cookie/second-factor` with a
    /// code, within five minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// With the code `account_suspended` of a log-in: the end of the suspension. Missing: for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspended_until: Option<DateTime<Utc>>,
    /// With the code `account_suspended` of a log-in: why the staff has suspended the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The errors of single fields of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[oai(default)]
    pub errors: Vec<FieldError>,
}

/// The error of one field of the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Object)]
pub(crate) struct FieldError {
    /// JSON pointer (RFC 6901) into the body, or the name of the parameter.
    pub pointer: String,
    pub code: FieldErrorCode,
    /// A sentence for people. Programs read `code` and `parameters`.
    pub detail: String,
    /// Missing if the code has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<FieldErrorParameters>,
}

impl FieldError {
    pub(crate) fn new(pointer: impl Into<String>, error: InvalidValue) -> Self {
        let InvalidValue { code, detail, parameters, missing: _ } = error;
        let parameters =
            Some(*parameters).filter(|parameters| *parameters != FieldErrorParameters::default());
        Self { pointer: pointer.into(), code, detail, parameters }
    }
}

/// A log-in that needs a code, for the client that has proved the password. Never logged.
#[derive(Clone)]
pub(crate) struct Challenge(pub(crate) String);

impl Debug for Challenge {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// What the owner of an account learns from a refused log-in.
#[derive(Debug, Clone)]
pub(crate) enum LogInRefusal {
    Challenge(Challenge),
    Suspension(Suspension),
}

/// The suspension of an account.
#[derive(Debug, Clone)]
pub(crate) struct Suspension {
    /// None: for ever.
    pub until: Option<DateTime<Utc>>,
    pub reason: String,
}

/// An error of a request. It becomes the response.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{code}: {detail}")]
pub(crate) struct Problem {
    pub status: StatusCode,
    pub code: Cow<'static, str>,
    pub detail: String,
    pub operation_id: Option<OperationId>,
    pub errors: Vec<FieldError>,
    /// Boxed, because few problems have it.
    pub log_in: Option<Box<LogInRefusal>>,
    /// Seconds after which a retry can succeed.
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
            log_in: None,
            retry_after: None,
        }
    }

    /// 404.
    pub(crate) fn not_found(code: &'static str, detail: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, detail)
    }

    /// 400: a body or a parameter does not match the OpenAPI document.
    pub(crate) fn invalid(pointer: impl Into<String>, error: InvalidValue) -> Self {
        let errors = vec![FieldError::new(pointer, error)];
        let mut problem = Self::new(
            StatusCode::BAD_REQUEST,
            "invalid_request",
            "The request does not match the OpenAPI document.",
        );
        problem.errors = errors;
        problem
    }

    /// 400: the body has none of these fields, or several. The error is at the first one.
    pub(crate) fn exactly_one_of(fields: &[&str], detail: &str) -> Self {
        let pointer = format!("/{}", fields.first().unwrap_or(&""));
        Self::invalid(pointer, InvalidValue::exactly_one_of(fields, detail))
    }

    /// 503: a server that the request needs is not available.
    pub(crate) fn unavailable(code: &'static str, detail: &str) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, code, detail) }
    }

    /// 405.
    pub(crate) fn method_not_allowed() -> Self {
        let detail = "This path does not support this method.";
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
    }

    /// 500: an internal error. Only the log has the details.
    pub(crate) fn internal(context: &'static str, error: &dyn Display) -> Self {
        tracing::error!(%error, context, "internal error");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The server has an internal error.")
    }

    /// Adds the id of the operation.
    pub(crate) fn about(mut self, operation_id: OperationId) -> Self {
        self.operation_id = Some(operation_id);
        self
    }

    pub(crate) fn body(&self) -> ProblemBody {
        let (challenge, suspension) = match self.log_in.as_deref() {
            Some(LogInRefusal::Challenge(challenge)) => (Some(challenge.0.clone()), None),
            Some(LogInRefusal::Suspension(suspension)) => (None, Some(suspension.clone())),
            None => (None, None),
        };
        ProblemBody {
            kind: format!("urn:guildhall:problem:{}", self.code),
            title: self.status.canonical_reason().unwrap_or("Error").to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            code: self.code.to_string(),
            request_id: current_request_id(),
            operation_id: self.operation_id,
            challenge,
            suspended_until: suspension.as_ref().and_then(|suspension| suspension.until),
            reason: suspension.map(|suspension| suspension.reason),
            errors: self.errors.clone(),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        Self { code: refused.code.into(), ..Self::new(status(refused.kind), "", refused.detail) }
    }
}

/// The HTTP status of a refusal.
pub(crate) fn status(kind: RefusalKind) -> StatusCode {
    match kind {
        RefusalKind::NotFound => StatusCode::NOT_FOUND,
        RefusalKind::Forbidden => StatusCode::FORBIDDEN,
        RefusalKind::Conflict => StatusCode::CONFLICT,
        RefusalKind::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        if db::is_permanent(&error) {
            return Self::internal("the database cannot execute a query", &error);
        }
        tracing::warn!(%error, "database request failed");
        Self::unavailable("database_unavailable", "The database does not respond. Try again.")
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
        if self.log_in.is_some() {
            response = response.header("Cache-Control", "no-store");
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response = response.header("WWW-Authenticate", "Bearer");
        }
        response.body(body).into_response()
    }
}

/// The OpenAPI document gets the problems of all operations in one place, `openapi/responses.rs`.
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
        "errors": [{
            "pointer": "/name", "code": "too_short", "detail": "must have 3 to 30 characters",
            "parameters": { "minimum": 3, "maximum": 30 }
        }]
    }
}
