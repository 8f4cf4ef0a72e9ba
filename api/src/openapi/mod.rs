//! The OpenAPI document. It is made from the types of the endpoints, and completed in a few steps.

mod known_parameters;
pub(crate) mod pages;
mod postprocess;
mod refusals;
mod responses;
pub(crate) mod routes;
mod tag;

use std::{collections::BTreeMap, marker::PhantomData};

use poem_openapi::{
    ContactObject, LicenseObject, OpenApi, OpenApiService, ServerObject,
    registry::{MetaApi, Registry},
    types::Type,
};

use self::routes::Routes;
pub(crate) use self::tag::Tag;
use crate::http::{command_request::IdempotencyKey, problem::ProblemBody, sent_command::COMMAND_HEADER};

/// Adds the common headers and errors to the document of an API, and describes its `find:id` paths.
pub(crate) struct Documented<A>(pub A);

impl<A: OpenApi> OpenApi for Documented<A> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = A::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path = path.path.replace("/find:id", "/find{id}");
            let has_variable = path.path.contains('{');
            path.operations.iter_mut().for_each(|operation| responses::complete(operation, has_variable));
        }
        apis
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
        ProblemBody::register(registry);
        IdempotencyKey::register(registry);
    }

    fn add_routes(self, routes: &mut Routes) {
        self.0.add_routes(routes);
    }
}

/// The description of these endpoints.
fn service<A: OpenApi>(apis: A) -> OpenApiService<A, ()> {
    OpenApiService::new(apis, "Guildhall", env!("CARGO_PKG_VERSION"))
        .description(include_str!("description.md"))
        .contact(ContactObject::new().name("Guildhall"))
        .license(LicenseObject::new("MIT OR Apache-2.0").url("https://opensource.org/licenses"))
        .server(ServerObject::new("/").description("The site that serves this document."))
}

/// The OpenAPI document of these endpoints as JSON. It is made from types only, so it needs no server.
pub(crate) fn document<A: OpenApi>() -> String {
    postprocess::run(&service(TypesOf::<A>(PhantomData)).spec(), &A::meta())
}

/// The command that each operation sends, by the id of the operation.
pub(crate) fn sent_commands<A: OpenApi>() -> BTreeMap<String, String> {
    let operations = A::meta().into_iter().flat_map(|api| api.paths).flat_map(|path| path.operations);
    let commands = operations.filter_map(|operation| {
        let mut headers = operation.responses.responses.into_iter().flat_map(|response| response.headers);
        let command = headers.find(|header| header.name == COMMAND_HEADER)?.description?;
        Some((operation.operation_id?.to_owned(), command))
    });
    commands.collect()
}

/// An API without a value. The document needs only its types.
struct TypesOf<A>(PhantomData<A>);

impl<A: OpenApi> OpenApi for TypesOf<A> {
    fn meta() -> Vec<MetaApi> {
        A::meta()
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
    }

    fn add_routes(self, _: &mut Routes) {}
}
