//! The routes of all APIs, in one table. That of poem-openapi cannot route `find:id`, its 405 responses have no header `Allow`,
//! which RFC 9110 requires, and each request would pass a second table and several boxed endpoints.

use std::{collections::HashMap, sync::Arc};

use poem::{
    Endpoint, IntoResponse, Request, Response, Result, Route,
    endpoint::{BoxEndpoint, DynEndpoint},
    error::ResponseError,
    http::{Method, header},
};
use poem_openapi::{OpenApi, registry::MetaPath};

use crate::{
    http::{
        parameters::{InvalidParameter, QueryPairs},
        problem::Problem,
    },
    openapi::known_parameters::KnownParameters,
};

/// The endpoints of one path.
type Methods = HashMap<Method, BoxEndpoint<'static>>;
/// The endpoints of poem-openapi, by path.
pub(super) type Routes = HashMap<String, Methods>;

/// Adds the routes of the APIs. For `find:id` there are two: `find5` and `find/5`.
pub(crate) fn add<A: OpenApi>(mut routes: Route, apis: A) -> Route {
    let documented = A::meta();
    let paths = documented.iter().flat_map(|api| &api.paths);
    let mut documented: HashMap<_, _> = paths.map(DocumentedPath::numbered).collect();
    let mut added = Routes::new();
    apis.add_routes(&mut added);
    for (path, methods) in added {
        let endpoint = PathEndpoint::new(methods, documented.remove(&path).unwrap_or_default());
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

/// What the document says about the parameters of a path.
#[derive(Default)]
struct DocumentedPath {
    /// The names of the variables. poem-openapi calls them `param0` and so on.
    variables: Vec<String>,
    /// By method.
    query: HashMap<Method, KnownParameters>,
}

impl DocumentedPath {
    /// With the path whose variables have the names of poem-openapi. It renames only variables that are a whole segment.
    fn numbered(path: &MetaPath) -> (String, Self) {
        let mut variables = Vec::new();
        let segments: Vec<String> = path
            .path
            .split('/')
            .map(|segment| {
                if let Some(name) = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    variables.push(name.to_owned());
                    format!(":param{}", variables.len() - 1)
                } else if segment == "find{id}" {
                    variables.push("id".to_owned());
                    "find:id".to_owned()
                } else {
                    segment.to_owned()
                }
            })
            .collect();
        let query = path.operations.iter().filter_map(|operation| {
            Some((operation.method.clone(), KnownParameters::of(&path.path, operation)?))
        });
        (segments.join("/"), Self { query: query.collect(), variables })
    }
}

/// The endpoints of a path, one for each method.
struct PathEndpoint {
    methods: Methods,
    /// The header `Allow` of the response to other methods.
    allowed: String,
    documented: DocumentedPath,
}

impl PathEndpoint {
    fn new(methods: Methods, documented: DocumentedPath) -> Self {
        let mut allowed: Vec<&str> = methods.keys().map(Method::as_str).collect();
        if methods.contains_key(&Method::GET) {
            allowed.push("HEAD");
        }
        allowed.sort_unstable();
        Self { allowed: allowed.join(", "), methods, documented }
    }

    /// The response to an invalid value of a parameter.
    fn invalid_parameter(&self, invalid: &InvalidParameter) -> Response {
        let InvalidParameter { name, error } = invalid;
        let number = name.strip_prefix("param").and_then(|number| number.parse::<usize>().ok());
        let name =
            number.and_then(|number| self.documented.variables.get(number)).map_or(*name, String::as_str);
        Problem::invalid(name, error.clone()).as_response()
    }
}

impl Endpoint for PathEndpoint {
    type Output = Response;

    async fn call(&self, mut request: Request) -> Result<Response> {
        let Some(endpoint) = self.methods.get(request.method()) else {
            let refusal = Problem::method_not_allowed().as_response();
            return Ok(refusal.with_header(header::ALLOW, &self.allowed).into_response());
        };
        let pairs = QueryPairs(request.params().unwrap_or_default());
        if let Some(known) = self.documented.query.get(request.method()) {
            known.check(&request, &pairs)?;
        }
        request.set_data(pairs);
        let response = DynEndpoint::call(&**endpoint, request).await;
        response.or_else(|error| match error.downcast_ref::<InvalidParameter>() {
            Some(invalid) => Ok(self.invalid_parameter(invalid)),
            None => Err(error),
        })
    }
}
