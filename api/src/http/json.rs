//! The JSON body of a request, parsed into validated values.

use std::ops::Deref;

use guildhall_common::{
    invalid_value::{FieldErrorCode, InvalidValue, ValueFormat},
    money::Money,
};
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

use crate::http::{
    json_tree::{JsonTree, escaped},
    problem::Problem,
    request_data::RawBody,
    route_policy,
};

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
        let policy = route_policy::of(request.uri().path());
        Ok(Self(read(&RawBody::of(request).0, policy.has_row_results)?))
    }
}

/// With `has_row_results`, the rule checks the texts in lists: it skips a row that is invalid.
fn read<T: DeserializeOwned>(body: &[u8], has_row_results: bool) -> Result<T, Problem> {
    let mut parser = serde_json::Deserializer::from_slice(body);
    let tree = JsonTree::deserialize(&mut parser).map_err(|error| no_json(&error))?;
    if let Some((pointer, error)) = tree.find_unreadable(has_row_results) {
        return Err(Problem::invalid(pointer, error));
    }
    let value = serde_path_to_error::deserialize(tree).map_err(|error| {
        let mut pointer = pointer(error.path());
        let error = error.into_inner();
        if let Some(missing) = error.missing {
            pointer = format!("{pointer}/{}", escaped(missing));
        }
        Problem::invalid(pointer, error)
    })?;
    parser.end().map_err(|error| no_json(&error))?;
    Ok(value)
}

/// The message has a line and a column, because the pointer is that of the whole body.
fn no_json(error: &serde_json::Error) -> Problem {
    Problem::invalid("", InvalidValue::format(ValueFormat::Json, error.to_string()))
}

/// Reads a list of `MIN` to `MAX` items. It is for the attribute `deserialize_with`.
pub(crate) fn bounded_list<'de, D, T, const MIN: usize, const MAX: usize>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let items = Vec::deserialize(from)?;
    if (MIN..=MAX).contains(&items.len()) {
        Ok(items)
    } else {
        Err(D::Error::custom(InvalidValue::items(items.len(), MIN, MAX)))
    }
}

/// Reads an amount of more than zero, which may be optional. It is for the attribute `deserialize_with`.
pub(crate) fn positive_money<'de, D, T>(from: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: From<Money>,
{
    let money = Money::deserialize(from)?;
    if money.minor() > 0 {
        Ok(money.into())
    } else {
        let error = InvalidValue::new(FieldErrorCode::NotPositive, "must be more than zero");
        Err(D::Error::custom(error))
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

#[cfg(test)]
mod tests {
    use guildhall_common::{
        contract::{command::OperationId, guild::GuildName, values::Limit},
        invalid_value::{FieldErrorParameters, ValueType},
    };

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Rank {
        Member,
        Leader,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Body {
        name: GuildName,
        limit: Option<Limit>,
        price: Option<Money>,
        rank: Option<Rank>,
        operation: Option<OperationId>,
        #[serde(default)]
        is_open: bool,
        #[serde(default, deserialize_with = "bounded_items")]
        nested: Vec<Nested>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Nested {
        name: GuildName,
    }

    fn bounded_items<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Nested>, D::Error> {
        bounded_list::<D, Nested, 1, 2>(from)
    }

    /// The place and the code of the error, and its parameters.
    fn error_of(body: &str) -> (String, FieldErrorCode, FieldErrorParameters) {
        let problem = read::<Body>(body.as_bytes(), false).unwrap_err();
        let [error] = problem.errors.try_into().unwrap();
        (error.pointer, error.code, error.parameters.unwrap_or_default())
    }

    #[test]
    fn each_error_has_its_place_and_the_broken_rule() {
        use FieldErrorCode::{
            DuplicateField, InvalidChoice, InvalidFormat, InvalidType, OutOfRange, Required, TooFewItems,
            TooLong, TooManyDecimals, TooManyItems, TooShort, UnknownField,
        };
        let price = |amount: &str| format!(r#"{{"price":{{"amount":"{amount}","currency":"VND"}}}}"#);
        let nested = r#"{"name":"Night Watch","nested":[{"name":"Night Watch"},{"name":"x"}]}"#;
        let three = r#"{"nested":[{"name":"Aaa"},{"name":"Bbb"},{"name":"Ccc"}]}"#;
        for (body, pointer, code) in [
            ("{}", "/name", Required),
            (r#"{"name":null}"#, "/name", Required),
            (r#"{"name":"x"}"#, "/name", TooShort),
            (&format!(r#"{{"name":"{}"}}"#, "x".repeat(31)), "/name", TooLong),
            (r#"{"name":"Night_Watch"}"#, "/name", InvalidFormat),
            (r#"{"name":7}"#, "/name", InvalidType),
            (r#"{"name":"Night Watch","motto":"x"}"#, "/motto", UnknownField),
            (r#"{"name":"Night Watch","name":"Night Watch"}"#, "", DuplicateField),
            (r#"{"name":"Night Watch","limit":null,"limit":1}"#, "", DuplicateField),
            (r#"{"name":"Night Watch","motto":null,"motto":null}"#, "", DuplicateField),
            (r#"{"nested":[{"name":"Aaa","name":null}]}"#, "/nested/0", DuplicateField),
            (r#"["Night Watch",5,null,null,null,true,[]]"#, "", InvalidType),
            (r#"{"name":"Night Watch","nested":[["Aaa"]]}"#, "/nested/0", InvalidType),
            (r#"{"name":"Night Watch","price":["1.00","USD"]}"#, "/price", InvalidType),
            (r#"{"limit":101}"#, "/limit", OutOfRange),
            (r#"{"limit":18446744073709551615}"#, "/limit", OutOfRange),
            (r#"{"limit":1.5}"#, "/limit", InvalidType),
            (r#"{"rank":"king"}"#, "/rank", InvalidChoice),
            (r#"{"is_open":"yes"}"#, "/is_open", InvalidType),
            (r#"{"operation":"x"}"#, "/operation", InvalidFormat),
            (&price("1.5"), "/price", TooManyDecimals),
            (&price("1,5"), "/price", InvalidFormat),
            (r#"{"nested":[]}"#, "/nested", TooFewItems),
            (three, "/nested", TooManyItems),
            (nested, "/nested/1/name", TooShort),
            ("[", "", InvalidFormat),
            (r#"{"name":"Night Watch"} {}"#, "", InvalidFormat),
            ("7", "", InvalidType),
        ] {
            let (found, broken, _) = error_of(body);
            assert_eq!((found.as_str(), broken), (pointer, code), "{body}");
        }
    }

    #[test]
    fn the_limits_are_data() {
        let default = FieldErrorParameters::default;
        for (body, expected) in [
            (r#"{"name":"x"}"#, FieldErrorParameters { minimum: Some(3), maximum: Some(30), ..default() }),
            (r#"{"limit":0}"#, FieldErrorParameters { minimum: Some(1), maximum: Some(100), ..default() }),
            (r#"{"limit":"1"}"#, FieldErrorParameters { expected: Some(ValueType::Integer), ..default() }),
            (r#"{"operation":"x"}"#, FieldErrorParameters { format: Some(ValueFormat::Uuid), ..default() }),
            (
                r#"{"rank":"king"}"#,
                FieldErrorParameters { choices: vec!["member".to_owned(), "leader".to_owned()], ..default() },
            ),
            ("{", FieldErrorParameters { format: Some(ValueFormat::Json), ..default() }),
        ] {
            assert_eq!(error_of(body).2, expected, "{body}");
        }
    }

    #[test]
    fn null_means_a_missing_field() {
        let body: Body = read(br#"{"name":"Night Watch","motto":null,"limit":null}"#, false).unwrap();
        assert_eq!((&*body.name, body.limit), ("Night Watch", None));
        assert!(
            read::<Vec<Option<bool>>>(b"[null, true]", false).is_ok_and(|list| list == [None, Some(true)])
        );
        for text in ["null", r#"{"name":null"#, r#"{"name":null} null"#] {
            assert!(read::<Body>(text.as_bytes(), false).is_err(), "{text}");
        }
    }

    #[test]
    fn a_body_with_nulls_is_read_like_one_without() {
        let body = r#"{"name":"Night Watch","limit":5,"price":{"amount":"2.50","currency":"BRL"},"rank":"leader",
            "operation":"0192f0c1-2a3b-7c4d-8e5f-60718293a4b5","is_open":true,"nested":[{"name":"Aaa"}]"#;
        let read = |end: &str| read::<Body>(format!("{body}{end}").as_bytes(), false).unwrap();
        assert_eq!(read(r#","motto":null}"#), read("}"));
    }
}
