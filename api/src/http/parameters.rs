//! The parameters of requests: variables of the path, the query, headers.
//!
//! They are those of poem-openapi, except that serde reads the value. So an error names the broken rule, as in a body.

use guildhall_common::invalid_value::InvalidValue;
use poem::{
    Request, RequestBody, Result,
    error::ResponseError,
    http::{HeaderMap, StatusCode},
};
use poem_openapi::{
    ApiExtractor, ApiExtractorType, ExtractParamOptions,
    registry::{MetaParamIn, MetaSchemaRef, Registry},
    types::Type,
};
use serde::de::DeserializeOwned;

use crate::http::parameter_text::ParameterText;

/// A parameter has no valid value. The route knows the documented name of a variable, so it makes the problem.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub(crate) struct InvalidParameter {
    pub(crate) name: &'static str,
    pub(crate) error: InvalidValue,
}

impl ResponseError for InvalidParameter {
    fn status(&self) -> StatusCode {
        StatusCode::BAD_REQUEST
    }
}

/// The names and values of a query.
#[derive(Clone)]
pub(crate) struct QueryPairs(pub(crate) Vec<(String, String)>);

/// The value of the parameter, or its default if the request has none.
fn read<T: DeserializeOwned>(text: Option<&str>, options: &ExtractParamOptions<T>) -> Result<T> {
    if let (None, Some(default)) = (text, options.default_value) {
        return Ok(default());
    }
    let read = T::deserialize(ParameterText(text));
    read.map_err(|error| InvalidParameter { name: options.name, error }.into())
}

fn in_query<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let QueryPairs(pairs) = request.data()?;
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

fn in_headers<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get_all(name).iter().find_map(|value| value.to_str().ok())
}

/// Declares the extractor of one place.
macro_rules! extractors {
    ($($(#[doc = $doc:literal])* $name:ident = |$request:ident, $key:ident| $text:expr;)+) => {$(
        $(#[doc = $doc])*
        pub(crate) struct $name<T>(pub(crate) T);

        impl<'a, T: Type + DeserializeOwned> ApiExtractor<'a> for $name<T> {
            const TYPES: &'static [ApiExtractorType] = &[ApiExtractorType::Parameter];
            const PARAM_IS_REQUIRED: bool = T::IS_REQUIRED;
            type ParamType = T;
            type ParamRawType = T::RawValueType;

            fn register(registry: &mut Registry) {
                T::register(registry);
            }

            fn param_in() -> Option<MetaParamIn> {
                Some(MetaParamIn::$name)
            }

            fn param_schema_ref() -> Option<MetaSchemaRef> {
                Some(T::schema_ref())
            }

            fn param_raw_type(&self) -> Option<&Self::ParamRawType> {
                self.0.as_raw_value()
            }

            async fn from_request(
                $request: &'a Request,
                _body: &mut RequestBody,
                options: ExtractParamOptions<T>,
            ) -> Result<Self> {
                let $key = options.name;
                read($text, &options).map(Self)
            }
        }
    )+};
}

extractors! {
    /// A variable of the path. The attributes of poem-openapi look for this name.
    Path = |request, name| request.raw_path_param(name);
    /// A parameter of the query. Its first value counts.
    Query = |request, name| in_query(request, name);
    /// A header. Its first value that is a text counts.
    Header = |request, name| in_headers(request.headers(), name);
}
