//! The JSON body of a request, parsed into validated values.

use std::ops::Deref;

use poem::{
    Request, RequestBody, Result,
    http::{StatusCode, header},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaMediaType, MetaRequest, Registry},
    types::Type,
};
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, Error},
};
use serde_json::Value;

use crate::http::{problem::Problem, request_data::RawBody};

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// A body that serde parses and poem-openapi describes. Errors of serde have the path of the field.
pub(crate) struct JsonBody<T>(pub T);

impl<T> Deref for JsonBody<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'a, T: Type + DeserializeOwned> ApiExtractor<'a> for JsonBody<T> {
    const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::RequestObject];
    type ParamType = ();
    type ParamRawType = ();

    fn register(registry: &mut Registry) {
        T::register(registry);
    }

    fn request_meta() -> Option<MetaRequest> {
        let content = vec![MetaMediaType { content_type: JSON, schema: T::schema_ref() }];
        Some(MetaRequest { description: None, content, required: true })
    }

    async fn from_request(
        request: &'a Request,
        _body: &mut RequestBody,
        _options: ExtractParamOptions<()>,
    ) -> Result<Self> {
        let kind = request.header(header::CONTENT_TYPE).unwrap_or_default();
        if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(JSON) {
            let detail = format!("Send the body as {JSON}.");
            return Err(
                Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail).into()
            );
        }
        let body = request.data::<RawBody>().cloned().unwrap_or_default();
        if let Some(pointer) = pointer_to_null(&body.0) {
            return Err(Problem::invalid(pointer, "must not be null: leave the field out instead").into());
        }
        let mut parser = serde_json::Deserializer::from_slice(&body.0);
        let value = serde_path_to_error::deserialize(&mut parser).map_err(|error| {
            let mut pointer = pointer(error.path());
            let detail = without_position(&error.into_inner());
            if let Some(missing) = detail.strip_prefix("missing field `") {
                pointer = format!("{pointer}/{}", missing.trim_end_matches('`'));
            }
            Problem::invalid(pointer, detail)
        })?;
        parser.end().map_err(|error| Problem::invalid("", error.to_string()))?;
        Ok(Self(value))
    }
}

/// The JSON pointer to the first null of the body. No field accepts null: OpenAPI 3.0 cannot mark a reference to a
/// named schema as nullable.
fn pointer_to_null(body: &[u8]) -> Option<String> {
    if !body.windows(4).any(|bytes| bytes == b"null") {
        return None;
    }
    fn find(value: &Value, pointer: String) -> Option<String> {
        match value {
            Value::Null => Some(pointer),
            Value::Object(fields) => {
                fields.iter().find_map(|(name, value)| find(value, format!("{pointer}/{}", escaped(name))))
            }
            Value::Array(items) => {
                items.iter().enumerate().find_map(|(index, value)| find(value, format!("{pointer}/{index}")))
            }
            _ => None,
        }
    }
    // The parser reports invalid JSON with a better message.
    find(&serde_json::from_slice(body).ok()?, String::new())
}

/// Reads a list of `MIN` to `MAX` items. It is for the attribute `deserialize_with`.
pub(crate) fn bounded_list<'de, D, T, const MIN: usize, const MAX: usize>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items = Vec::deserialize(from)?;
    match items.len() {
        length if (MIN..=MAX).contains(&length) => Ok(items),
        _ if MIN == 0 => Err(D::Error::custom(format!("must have at most {MAX} items"))),
        _ => Err(D::Error::custom(format!("must have {MIN} to {MAX} items"))),
    }
}

/// The message without line and column: the pointer is more exact. Invalid JSON has no pointer, so its message stays.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Data => text.strip_suffix(&position).unwrap_or(&text).to_owned(),
        _ => text,
    }
}

/// The path as a JSON pointer (RFC 6901).
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segments = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(format!("/{index}")),
        Segment::Map { key } | Segment::Enum { variant: key } => Some(format!("/{}", escaped(key))),
        Segment::Unknown => None,
    });
    segments.collect()
}

/// The name with the escapes of RFC 6901.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
