//! The routes of all APIs, in one table. That of poem-openapi cannot route `find:id`, its 405 responses have no header `Allow`,
//! which RFC 9110 requires, and each request would pass a second table and several boxed endpoints.

use std::{collections::HashMap, sync::Arc};

use poem::{
    Endpoint, IntoResponse, Request, Response, Result, Route,
    endpoint::{BoxEndpoint, DynEndpoint},
    error::ResponseError,
    http::{Method, header},
};
use poem_openapi::{__private::UrlQuery, OpenApi, error::ParsePathError};

use crate::http::problem::Problem;

/// The endpoints of one path.
type Methods = HashMap<Method, BoxEndpoint<'static>>;
/// The endpoints of poem-openapi, by path.
pub(super) type Routes = HashMap<String, Methods>;

/// Adds the routes of the APIs. For `find:id` there are two: `find5` and `find/5`.
pub(crate) fn add<A: OpenApi>(mut routes: Route, apis: A) -> Route {
    let documented = A::meta();
    let paths = documented.iter().flat_map(|api| &api.paths);
    let mut variables: HashMap<_, _> = paths.map(|path| numbered(&path.path)).collect();
    let mut added = Routes::new();
    apis.add_routes(&mut added);
    for (path, methods) in added {
        let endpoint = PathEndpoint::new(methods, variables.remove(&path).unwrap_or_default());
        routes = match path.strip_suffix("/find:id") {
            Some(prefix) => {
                let endpoint = Arc::new(endpoint);
                routes
                    .at(format!("{prefix}/find:param0"), endpoint.clone())
                    .at(format!("{prefix}/find/:param0"), endpoint)
            }
            None => routes.at(path, endpoint),
        };
    }
    routes
}

/// The path with the variable names of poem-openapi, and the documented names of the variables. poem-openapi renames only
/// variables that are a whole segment.
fn numbered(documented: &str) -> (String, Vec<String>) {
    let mut names = Vec::new();
    let segments: Vec<String> = documented
        .split('/')
        .map(|segment| {
            if let Some(name) = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                names.push(name.to_owned());
                format!(":param{}", names.len() - 1)
            } else if segment == "find{id}" {
                names.push("id".to_owned());
                "find:id".to_owned()
            } else {
                segment.to_owned()
            }
        })
        .collect();
    (segments.join("/"), names)
}

/// The endpoints of a path, one for each method.
struct PathEndpoint {
    methods: Methods,
    /// The header `Allow` of the response to other methods.
    allowed: String,
    /// The documented names of the variables. poem-openapi calls them `param0` and so on.
    variables: Vec<String>,
}

impl PathEndpoint {
    fn new(methods: Methods, variables: Vec<String>) -> Self {
        let mut allowed: Vec<&str> = methods.keys().map(Method::as_str).collect();
        if methods.contains_key(&Method::GET) {
            allowed.push("HEAD");
        }
        allowed.sort_unstable();
        Self { allowed: allowed.join(", "), methods, variables }
    }

    /// The response to an invalid value of a variable.
    fn invalid_variable(&self, error: &ParsePathError) -> Response {
        let number = error.name.strip_prefix("param").and_then(|number| number.parse::<usize>().ok());
        let name = number.and_then(|number| self.variables.get(number)).map_or(error.name, String::as_str);
        Problem::invalid(name, &error.reason).as_response()
    }
}

impl Endpoint for PathEndpoint {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let Some(endpoint) = self.methods.get(request.method()) else {
            let refusal = Problem::method_not_allowed().as_response();
            return Ok(refusal.with_header(header::ALLOW, &self.allowed).into_response());
        };
        // The extractors of poem-openapi expect it.
        request.set_data(UrlQuery(request.params().unwrap_or_default()));
        let response = DynEndpoint::call(&**endpoint, request).await;
        response.or_else(|error| match error.downcast_ref::<ParsePathError>() {
            Some(invalid) => Ok(self.invalid_variable(invalid)),
            None => Err(error),
        })
    }
}
