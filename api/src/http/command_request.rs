//! The data of a request that sends a command: ids, headers and the raw body.

use std::time::Duration;

use guildhall_common::{
    invalid_value::{FieldErrorCode, InvalidValue},
    text_types,
};
use poem::{FromRequest, Request, RequestBody, Result};

use crate::http::{
    problem::Problem,
    request_data::{RawBody, current_request_id},
};

/// Spaces and visible characters of ASCII.
const PRINTABLE: &str = "^[ -~]+$";

text_types! {
    /// A repeated request with the same key gets the same response. Its effect is not repeated.
    IdempotencyKey { 1 ..= 255, PRINTABLE, "7f9a2c1e" }
}

/// Everything about a request except its command and its caller.
#[derive(Debug, Clone)]
pub(crate) struct CommandRequest {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) body: RawBody,
    pub(crate) request_id: String,
    pub(crate) traceparent: Option<String>,
    pub(crate) idempotency_key: Option<IdempotencyKey>,
    pub(crate) prefer: Prefer,
}

/// The supported preferences of RFC 7240.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Prefer {
    /// Respond as soon as the command is queued.
    pub(crate) respond_async: bool,
    /// The longest time to wait for the outcome.
    pub(crate) wait: Option<Duration>,
}

impl CommandRequest {
    /// The same request without an idempotency key.
    pub(crate) fn without_key(&self) -> Self {
        Self { idempotency_key: None, ..self.clone() }
    }
}

impl<'a> FromRequest<'a> for CommandRequest {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let idempotency_key = idempotency_key(request)?;
        check_captcha(request)?;
        Ok(Self {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            body: RawBody::of(request),
            request_id: current_request_id(),
            traceparent: request.header("traceparent").map(ToOwned::to_owned),
            idempotency_key,
            prefer: Prefer::parse(
                request.headers().get_all("Prefer").iter().filter_map(|value| value.to_str().ok()),
            ),
        })
    }
}

/// An invalid key is an error. Without the key, a repeated request would have its effect twice.
fn idempotency_key(request: &Request) -> Result<Option<IdempotencyKey>, Problem> {
    let mut keys = request.headers().get_all("Idempotency-Key").iter();
    let Some(key) = keys.next() else {
        return Ok(None);
    };
    let read = match (key.to_str(), keys.next()) {
        (_, Some(_)) => Err(InvalidValue::new(FieldErrorCode::DuplicateField, "")),
        (Ok(key), None) => key.parse(),
        (Err(_), None) => Err(InvalidValue::pattern(PRINTABLE)),
    };
    let detail = "must be one key of 1 to 255 visible ASCII characters".to_owned();
    read.map(Some).map_err(|error| Problem::invalid("Idempotency-Key", InvalidValue { detail, ..error }))
}

/// poem-openapi takes a header with other characters for a missing one. The response would be a misleading error, or none.
fn check_captcha(request: &Request) -> Result<(), Problem> {
    let mut solutions = request.headers().get_all("Captcha").iter();
    match solutions.all(|solution| solution.to_str().is_ok()) {
        true => Ok(()),
        false => {
            let detail = "must have only visible ASCII characters".to_owned();
            let error = InvalidValue { detail, ..InvalidValue::pattern(PRINTABLE) };
            Err(Problem::invalid("Captcha", error))
        }
    }
}

impl Prefer {
    fn parse<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut prefer = Self::default();
        for preference in values.flat_map(|value| value.split(',')) {
            let preference = preference.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
            match preference.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
                // The first preference of a name is valid.
                Some(("wait", seconds)) if prefer.wait.is_none() => {
                    prefer.wait = seconds.parse().ok().map(Duration::from_secs);
                }
                None if preference == "respond-async" => prefer.respond_async = true,
                _ => {}
            }
        }
        prefer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_have_the_syntax_of_rfc_7240() {
        let read = |value| Prefer::parse(std::iter::once(value));
        assert_eq!(
            read("respond-async, wait=10"),
            Prefer { respond_async: true, wait: Some(Duration::from_secs(10)) }
        );
        assert_eq!(
            read("Wait = 2; foo=bar"),
            Prefer { respond_async: false, wait: Some(Duration::from_secs(2)) }
        );
        assert_eq!(read("wait=1, wait=0").wait, Some(Duration::from_secs(1)));
        assert_eq!(read("handling=lenient, wait=soon"), Prefer::default());
    }
}
