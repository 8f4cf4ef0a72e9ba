//! Error responses: problem details (RFC 9457) with the names and violations of API Pix.

use poem::{
    Response,
    error::ResponseError,
    http::{HeaderValue, StatusCode, header},
};
use serde::Serialize;
use serde_json::{Value, json};

use super::json::json_response;
use crate::bank::BankError;

/// The base URL of the error names of API Pix.
const ERROR_NAMES: &str = "https://pix.bcb.gov.br/api/v2/error";

/// The resource of a request. API Pix has error names of its own for each resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    Charge,
    Payment,
    Refund,
    Webhook,
}

impl Resource {
    /// Returns three error names: not found, invalid operation, invalid query.
    const fn error_names(self) -> [&'static str; 3] {
        match self {
            Self::Charge => ["CobNaoEncontrado", "CobOperacaoInvalida", "CobConsultaInvalida"],
            Self::Payment => ["PixNaoEncontrado", "PixDevolucaoInvalida", "PixConsultaInvalida"],
            Self::Refund => ["PixDevolucaoNaoEncontrada", "PixDevolucaoInvalida", "PixConsultaInvalida"],
            Self::Webhook => ["WebhookNaoEncontrado", "WebhookOperacaoInvalida", "WebhookConsultaInvalida"],
        }
    }
}

/// The error of one property of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Violation {
    #[serde(rename = "razao")]
    reason: String,
    #[serde(rename = "propriedade")]
    property: String,
    #[serde(rename = "valor")]
    value: String,
}

impl Violation {
    pub(crate) fn new(property: &str, value: impl ToString, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), property: property.to_owned(), value: value.to_string() }
    }
}

/// An error as the client gets it.
#[derive(Debug)]
pub(crate) struct ErrorResponse {
    status: StatusCode,
    /// The error name of API Pix, if the standard has one.
    name: Option<&'static str>,
    detail: String,
    violations: Vec<Violation>,
    retry_after: Option<u32>,
}

impl ErrorResponse {
    /// An error for which API Pix has no name.
    pub(crate) fn unnamed(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, name: None, detail: detail.into(), violations: vec![], retry_after: None }
    }

    fn named(status: StatusCode, name: &'static str, detail: impl Into<String>) -> Self {
        Self { name: Some(name), ..Self::unnamed(status, detail) }
    }

    pub(crate) fn rate_limited(retry_after: u32) -> Self {
        let detail = "Too many requests. Wait as long as the Retry-After header says.";
        Self { retry_after: Some(retry_after), ..Self::unnamed(StatusCode::TOO_MANY_REQUESTS, detail) }
    }

    pub(crate) fn unauthorized() -> Self {
        let detail = "The access token is missing, invalid or expired. Get one from POST /oauth/token.";
        Self::unnamed(StatusCode::UNAUTHORIZED, detail)
    }

    pub(crate) fn missing_scope(scope: &str) -> Self {
        let detail = format!("The access token lacks the scope {scope}.");
        Self::named(StatusCode::FORBIDDEN, "AcessoNegado", detail)
    }

    pub(crate) fn bad_request(detail: impl Into<String>) -> Self {
        Self::named(StatusCode::BAD_REQUEST, "RequisicaoInvalida", detail)
    }

    pub(crate) fn not_found(resource: Resource) -> Self {
        let [name, ..] = resource.error_names();
        Self::named(StatusCode::NOT_FOUND, name, "The resource does not exist.")
    }

    pub(crate) fn invalid_operation(resource: Resource, violations: Vec<Violation>) -> Self {
        let [_, name, _] = resource.error_names();
        let detail = "The request is not valid. The list violacoes has the reasons.";
        Self { violations, ..Self::named(StatusCode::BAD_REQUEST, name, detail) }
    }

    pub(crate) fn invalid_query(resource: Resource, violations: Vec<Violation>) -> Self {
        let [.., name] = resource.error_names();
        let detail = "The query parameters are not valid. The list violacoes has the reasons.";
        Self { violations, ..Self::named(StatusCode::BAD_REQUEST, name, detail) }
    }

    pub(crate) fn from_bank_error(resource: Resource, error: BankError) -> Self {
        match error {
            BankError::NotFound => Self::not_found(resource),
            BankError::RuleViolated { property, reason } => {
                Self::invalid_operation(resource, vec![Violation::new(property, "", reason)])
            }
            BankError::LogWriteFailed(error) => {
                tracing::error!(%error, "append-only log not written");
                let (status, name) = (StatusCode::INTERNAL_SERVER_ERROR, "ErroInternoDoServidor");
                Self::named(status, name, "An internal error occurred.")
            }
        }
    }

    fn body(&self) -> Value {
        let kind = self.name.map_or("about:blank".to_owned(), |name| format!("{ERROR_NAMES}/{name}"));
        let title = self.name.or(self.status.canonical_reason()).unwrap_or("Error");
        let mut body =
            json!({ "type": kind, "title": title, "status": self.status.as_u16(), "detail": self.detail });
        if !self.violations.is_empty() {
            body["violacoes"] = json!(self.violations);
        }
        body
    }
}

impl std::fmt::Display for ErrorResponse {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.detail)
    }
}

impl std::error::Error for ErrorResponse {}

impl ResponseError for ErrorResponse {
    fn status(&self) -> StatusCode {
        self.status
    }

    fn as_response(&self) -> Response {
        let mut response = json_response(self.status, &self.body());
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Converts any error, also those of the framework.
pub(crate) async fn into_error_response(error: poem::Error) -> Response {
    match error.downcast::<ErrorResponse>() {
        Ok(error) => error.as_response(),
        Err(error) => ErrorResponse::unnamed(error.status(), error.to_string()).as_response(),
    }
}
