//! What every operation of the document has in common is written here once: the
//! headers that commands take, the errors that can come of what an operation
//! takes, and the paths that poem-openapi cannot write.

use std::{
    collections::{BTreeSet, HashMap},
    marker::PhantomData,
    sync::Arc,
};

use poem::{
    EndpointExt, IntoResponse,
    endpoint::BoxEndpoint,
    endpoint::make_sync,
    error::ResponseError,
    http::{Method, header},
};
use poem_openapi::{
    ApiResponse, OpenApi, Tags,
    error::ParsePathError,
    registry::{
        MetaApi, MetaMediaType, MetaOperation, MetaOperationParam, MetaParamIn, MetaResponse, MetaSchema,
        MetaSchemaRef, Registry,
    },
    types::Type,
};

use serde_json::Value;

use crate::problem::{self, Problem, ProblemBody};

/// The chapters of the document.
#[derive(Tags)]
pub(crate) enum Tag {
    /// Opening an account, signing in and out, characters.
    Accounts,
    /// Guilds, their members and invites.
    Guilds,
    /// Categories and offers of the shop.
    Shop,
    /// Posts, for readers and editors.
    News,
    /// Buying coins by instant payment.
    Payments,
    /// What became of a command.
    Operations,
    /// For game servers, with a service token.
    Game,
    /// For administrators.
    Administration,
}

/// An Api whose document says it all, and whose `find:id` paths work.
pub(crate) struct Documented<A>(pub A);

impl<A: OpenApi> OpenApi for Documented<A> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = A::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path = path.path.replace("/find:id", "/find{id}");
            let in_path = path.path.contains('{');
            path.operations.iter_mut().for_each(|operation| complete(operation, in_path));
        }
        apis
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
        Problem::register(registry);
    }

    /// poem numbers the variables of a path that are a segment of their own and leaves
    /// `find:id` as it is. The same endpoint also answers at `find/:id`.
    fn add_routes(self, routes: &mut Routes) {
        let names: HashMap<_, _> =
            A::meta().into_iter().flat_map(|api| api.paths).map(|path| numbered(&path.path)).collect();
        let mut added = HashMap::new();
        self.0.add_routes(&mut added);
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
}

type Methods = HashMap<Method, BoxEndpoint<'static>>;
type Routes = HashMap<String, Methods>;

/// poem answers 405 by itself, but without the `Allow` that RFC 9110 demands of it.
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

/// The path as poem-openapi routes it, and the names of its variables.
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

/// poem-openapi says `param0` of a variable in the path that cannot be parsed.
fn name_path_errors(endpoint: BoxEndpoint<'static>, names: Arc<[String]>) -> BoxEndpoint<'static> {
    let named = endpoint.catch_error(move |error: ParsePathError| {
        let number = error.name.strip_prefix("param").and_then(|number| number.parse::<usize>().ok());
        let name = number.and_then(|number| names.get(number)).map_or(error.name, String::as_str);
        let problem = Problem::invalid(name, error.reason);
        async move { problem.as_response() }
    });
    named.boxed()
}

fn complete(operation: &mut MetaOperation, in_path: bool) {
    for response in &mut operation.responses.responses {
        if response.description.is_empty() {
            response.description = "Here it is, and again whenever it has changed.";
        }
    }
    let command = operation.responses.responses.iter().any(|response| response.status == Some(202));
    if command {
        operation.params.extend(command_headers());
    }
    if operation.method != Method::GET {
        operation.responses.responses.retain(|response| response.status != Some(304));
    }
    let mut errors = vec![
        (400, "A parameter or the body is not as described."),
        (429, "Too many requests; wait as long as `Retry-After` says."),
        (503, "Something that this needs is away; try again."),
    ];
    if !operation.security.is_empty() {
        errors.push((401, "There is no token, or it is no good."));
    }
    if operation.security.iter().any(|scheme| !scheme.is_empty()) || command {
        errors.push((403, "The caller may not do this."));
    }
    if in_path || command {
        errors.push((404, "It does not exist, or not for this caller."));
    }
    if operation.request.is_some() {
        errors.push((408, "The body came too slowly."));
        errors.push((413, "The body is too large."));
        errors.push((415, "The body is not `application/json`, or is compressed."));
    }
    if command {
        errors.push((409, "The rules do not allow it in the present state; `code` tells which."));
        errors.push((422, "The `Idempotency-Key` was used for another request."));
    }
    // What follows from nothing that the operation takes.
    match operation.operation_id {
        Some("auth_log_in" | "auth_refresh") => {
            errors.push((401, "The credentials or the token are no good."))
        }
        Some("guild_invites") => errors.push((404, "There is no such guild.")),
        Some("payment_qrcode_png" | "payment_qrcode_svg") => {
            errors.push((409, "The payment cannot be paid yet."));
        }
        _ => {}
    }
    errors.sort_unstable();
    for (status, description) in errors {
        let content =
            vec![MetaMediaType { content_type: problem::MEDIA_TYPE, schema: ProblemBody::schema_ref() }];
        operation.responses.responses.push(MetaResponse {
            description,
            status: Some(status),
            status_range: None,
            content,
            headers: vec![],
        });
    }
}

fn command_headers() -> [MetaOperationParam; 2] {
    let header = |name: &str, description: &str, schema: MetaSchema| MetaOperationParam {
        name: name.to_owned(),
        schema: MetaSchemaRef::Inline(Box::new(schema)),
        in_type: MetaParamIn::Header,
        description: Some(description.to_owned()),
        required: false,
        deprecated: false,
        explode: true,
        style: None,
    };
    [
        header(
            "Idempotency-Key",
            "Repeating a request with the same key repeats its answer and never its effect.",
            MetaSchema {
                min_length: Some(1),
                max_length: Some(255),
                pattern: Some("^[ -~]+$".to_owned()),
                example: Some("7f9a2c1e".into()),
                ..MetaSchema::new("string")
            },
        ),
        header(
            "Prefer",
            "`respond-async`: answer 202 as soon as the command is safe. `wait=N`: wait N seconds at most for the outcome (RFC 7240).",
            MetaSchema { example: Some("wait=2".into()), ..MetaSchema::new("string") },
        ),
    ]
}

/// The document of an Api without one: what is documented are types.
pub(crate) struct OfTypes<A>(PhantomData<A>);

impl<A> Default for OfTypes<A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<A: OpenApi> OpenApi for OfTypes<A> {
    fn meta() -> Vec<MetaApi> {
        A::meta()
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
    }

    fn add_routes(self, _: &mut Routes) {}
}

/// The document with what poem-openapi cannot write: bodies take no fields but those described.
pub(crate) fn closed(document: &str) -> String {
    let mut document: Value = serde_json::from_str(document).unwrap_or_default();
    let mut open: Vec<String> = Vec::new();
    // What banks send is theirs to extend.
    let ours = |path: &&String| !path.starts_with("/payments/instant/webhook");
    let paths = document["paths"].as_object().into_iter().flatten().filter(|(path, _)| ours(path));
    for operation in paths.flat_map(|(_, path)| path.as_object()).flatten() {
        references(&operation.1["requestBody"], &mut open);
    }
    let mut closed = BTreeSet::new();
    while let Some(name) = open.pop() {
        let schema = &mut document["components"]["schemas"][&name];
        if closed.insert(name) {
            references(schema, &mut open);
            if schema["type"] == "object" {
                schema["additionalProperties"] = false.into();
            }
        }
    }
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The names of the schemas that are referred to.
fn references(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(name) = fields.get("$ref").and_then(Value::as_str) {
                names.extend(name.rsplit('/').next().map(ToOwned::to_owned));
            }
            fields.values().for_each(|value| references(value, names));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, names)),
        _ => {}
    }
}
