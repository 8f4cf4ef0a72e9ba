//! The JSON body of a request, parsed into validated values.

use std::{borrow::Cow, ops::Deref};

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
        let body = RawBody::of(request);
        let body = without_nulls(&body.0);
        let mut parser = serde_json::Deserializer::from_slice(&body);
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

/// The body without the fields that are null. A null means the same as a missing field, because forms in JavaScript send it.
fn without_nulls(body: &[u8]) -> Cow<'_, [u8]> {
    if !body.windows(4).any(|bytes| bytes == b"null") {
        return body.into();
    }
    fn remove_nulls(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.retain(|_, value| !value.is_null());
                fields.values_mut().for_each(remove_nulls);
            }
            Value::Array(items) => items.iter_mut().for_each(remove_nulls),
            _ => {}
        }
    }
    // The parser reports invalid JSON with a better message.
    let Ok(mut value) = serde_json::from_slice(body) else { return body.into() };
    remove_nulls(&mut value);
    serde_json::to_vec(&value).map_or(body.into(), Cow::from)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_means_a_missing_field() {
        let text = |body: &str| String::from_utf8(without_nulls(body.as_bytes()).into_owned()).unwrap();
        assert_eq!(text(r#"{"a":null,"b":{"c":null,"d":1},"e":[{"f":null}]}"#), r#"{"b":{"d":1},"e":[{}]}"#);
        for unchanged in [r#"{"a":"null"}"#, "null", "[null]", r#"{"a":null"#] {
            assert_eq!(text(unchanged), unchanged);
        }
    }
}
