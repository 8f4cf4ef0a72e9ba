//! The JSON body of a request, parsed into values that cannot be wrong.

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

pub(crate) const JSON: &str = "application/json";

/// Parsed by serde, which tells where a mistake is; described by poem-openapi.
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
        if let Some(pointer) = null(&body.0) {
            return Err(Problem::invalid(pointer, "must not be null: what there is not is left out").into());
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

/// Where there is a null. It is no value of any field, because OpenAPI 3.0 cannot say of a schema with a name that it
/// may be one.
fn null(body: &[u8]) -> Option<String> {
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
    // What is no JSON at all is told better by who parses it.
    find(&serde_json::from_slice(body).ok()?, String::new())
}

/// A list of `MIN` to `MAX` items: for `deserialize_with`.
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

/// The pointer says it better than line and column, unless it is not JSON at all.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    match error.classify() {
        serde_json::error::Category::Data => text.strip_suffix(&position).unwrap_or(&text).to_owned(),
        _ => text,
    }
}

/// As a JSON pointer, RFC 6901.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segments = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(format!("/{index}")),
        Segment::Map { key } | Segment::Enum { variant: key } => Some(format!("/{}", escaped(key))),
        Segment::Unknown => None,
    });
    segments.collect()
}

/// As RFC 6901 writes a name.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
