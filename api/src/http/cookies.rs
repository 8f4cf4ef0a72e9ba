//! Cookies that only the servers of the site read.

use poem::{
    IntoResponse, Request, Response,
    error::ResponseError,
    http::{HeaderValue, header},
};
use poem_openapi::{
    ApiResponse,
    registry::{MetaHeader, MetaResponses, MetaSchema, MetaSchemaRef, Registry},
};

use crate::http::problem::Problem;

/// A new value of a cookie, or its deletion.
pub(crate) struct SetCookie(String);

impl SetCookie {
    /// A cookie that scripts cannot read, and that browsers send only over TLS and only with requests of pages of this site. A
    /// name that begins with `__Host-` requires `Secure` and `Path=/`, so no other host can set the cookie.
    pub(crate) fn new(name: &'static str, value: &str, seconds: i64) -> Self {
        Self(format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; Secure; SameSite=Strict"))
    }

    /// Deletes a cookie.
    pub(crate) fn deletion(name: &'static str) -> Self {
        Self::new(name, "", 0)
    }
}

/// The value of a cookie, if the request has exactly one with this name.
pub(crate) fn read<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let values = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = values.flat_map(|value| value.split(';')).filter_map(|cookie| cookie.split_once('='));
    let mut found = cookies.filter(|(found, _)| found.trim() == name).map(|(_, value)| value.trim());
    let value = found.next()?;
    found.next().is_none().then_some(value)
}

/// A response that sets cookies, also if it is a problem.
pub(crate) struct WithCookies<T> {
    response: Result<T, Problem>,
    cookies: Vec<SetCookie>,
}

impl<T> WithCookies<T> {
    pub(crate) fn new(response: T, cookies: Vec<SetCookie>) -> Self {
        Self { response: Ok(response), cookies }
    }

    pub(crate) fn problem(problem: Problem, cookies: Vec<SetCookie>) -> Self {
        Self { response: Err(problem), cookies }
    }
}

impl<T: IntoResponse> IntoResponse for WithCookies<T> {
    fn into_response(self) -> Response {
        let mut response = match self.response {
            Ok(response) => response.into_response(),
            Err(problem) => problem.as_response(),
        };
        // The values are tokens of the site, so each is a valid header.
        for cookie in self.cookies.iter().filter_map(|cookie| HeaderValue::from_str(&cookie.0).ok()) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

impl<T: ApiResponse> ApiResponse for WithCookies<T> {
    fn meta() -> MetaResponses {
        let mut meta = T::meta();
        for response in &mut meta.responses {
            response.headers.push(MetaHeader {
                name: "Set-Cookie".to_owned(),
                description: Some("The cookies, with `HttpOnly`, `Secure` and `SameSite=Strict`.".to_owned()),
                required: true,
                deprecated: false,
                schema: MetaSchemaRef::Inline(Box::new(MetaSchema::new("string"))),
            });
        }
        meta
    }

    fn register(registry: &mut Registry) {
        T::register(registry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(headers: &[&'static str]) -> Option<String> {
        let request =
            headers.iter().fold(Request::builder(), |request, value| request.header("Cookie", *value));
        read(&request.finish(), "session").map(ToOwned::to_owned)
    }

    #[test]
    fn one_cookie_of_this_name_is_read() {
        assert_eq!(read_from(&["theme=dark; session=abc; x=y"]).as_deref(), Some("abc"));
        assert_eq!(read_from(&["theme=dark", "session=abc"]).as_deref(), Some("abc"));
        assert_eq!(read_from(&["session="]).as_deref(), Some(""));
        for other in ["", "session", "xsession=abc", "session.x=abc", "Session=abc", "x=session=abc"] {
            assert_eq!(read_from(&[other]), None, "{other}");
        }
    }

    #[test]
    fn two_cookies_of_this_name_are_ambiguous() {
        assert_eq!(read_from(&["session=abc; session=def"]), None);
        assert_eq!(read_from(&["session=abc", "session=abc"]), None);
    }
}
