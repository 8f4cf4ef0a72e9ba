//! Paths and methods that poem-openapi cannot route.

use std::{collections::HashMap, sync::Arc};

use poem::{
    EndpointExt, IntoResponse,
    endpoint::{BoxEndpoint, make_sync},
    error::ResponseError,
    http::{Method, header},
};
use poem_openapi::{error::ParsePathError, registry::MetaApi};

use crate::http::problem::Problem;

type Methods = HashMap<Method, BoxEndpoint<'static>>;
pub(super) type Routes = HashMap<String, Methods>;

/// Adds the routes of an API. For `find:id` there are two: `find5` and `find/5`.
///
/// poem-openapi renames only variables that are a whole segment, so `find:id` needs its name here.
pub(super) fn add(added: Routes, documented: &[MetaApi], routes: &mut Routes) {
    let paths = documented.iter().flat_map(|api| &api.paths);
    let names: HashMap<_, _> = paths.map(|path| numbered(&path.path)).collect();
    for (path, mut methods) in added {
        let names: Arc<[String]> = names.get(&path).cloned().unwrap_or_default().into();
        refuse_other_methods(&mut methods);
        for (method, endpoint) in methods {
            let endpoint = Arc::new(name_path_errors(endpoint, names.clone()));
            let mut route = |path: String| {
                routes.entry(path).or_default().insert(method.clone(), endpoint.clone().boxed());
            };
            match path.strip_suffix("/find:id") {
                Some(prefix) => {
                    route(format!("{prefix}/find:param0"));
                    route(format!("{prefix}/find/:param0"));
                }
                None => route(path.clone()),
            }
        }
    }
}

/// Adds a 405 response with the header `Allow`, which RFC 9110 requires. The one of poem has no `Allow`.
fn refuse_other_methods(methods: &mut Methods) {
    let mut allowed: Vec<&str> = methods.keys().map(Method::as_str).collect();
    if methods.contains_key(&Method::GET) {
        allowed.push("HEAD");
    }
    allowed.sort_unstable();
    let allowed = allowed.join(", ");
    for method in [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
    ] {
        let allowed = allowed.clone();
        let refuse = make_sync(move |_| {
            Problem::method_not_allowed().as_response().with_header(header::ALLOW, &allowed)
        });
        methods.entry(method).or_insert_with(|| refuse.map_to_response().boxed());
    }
}

/// The path with the variable names of poem-openapi, and the documented names of the variables.
fn numbered(documented: &str) -> (String, Vec<String>) {
    let mut names = Vec::new();
    let segments: Vec<String> = documented
        .split('/')
        .map(|segment| match segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            Some(name) => {
                names.push(name.to_owned());
                format!(":param{}", names.len() - 1)
            }
            None => segment.to_owned(),
        })
        .collect();
    if documented.ends_with("/find:id") {
        names.push("id".to_owned());
    }
    (segments.join("/"), names)
}

/// Puts the documented name of a path variable into its error. poem-openapi calls it `param0`.
fn name_path_errors(endpoint: BoxEndpoint<'static>, names: Arc<[String]>) -> BoxEndpoint<'static> {
    let named = endpoint.catch_error(move |error: ParsePathError| {
        let number = error.name.strip_prefix("param").and_then(|number| number.parse::<usize>().ok());
        let name = number.and_then(|number| names.get(number)).map_or(error.name, String::as_str);
        let problem = Problem::invalid(name, error.reason);
        async move { problem.as_response() }
    });
    named.boxed()
}
