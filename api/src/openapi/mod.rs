//! The OpenAPI document: made of the endpoints' types, completed with what all of them have in common.

mod postprocess;
mod responses;
mod routes;

use std::marker::PhantomData;

use guildhall_common::contract::{
    account::AccountRefusal,
    command::{Refusal, Refused},
    game::GameRefusal,
    guild::GuildRefusal,
    news::NewsRefusal,
    payment::PaymentRefusal,
    shop::ShopRefusal,
};
use poem_openapi::{
    ContactObject, LicenseObject, OpenApi, OpenApiService, ServerObject, Tags,
    registry::{MetaApi, Registry},
    types::Type,
};

use crate::{
    http::{command_request::IdempotencyKey, problem::ProblemBody},
    openapi::routes::Routes,
};

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

/// Why the commands of a chapter may be refused.
fn refusals(chapter: &str) -> Vec<Refused> {
    fn all(refusals: &[impl Refusal]) -> Vec<Refused> {
        refusals.iter().map(Refusal::refused).collect()
    }
    match chapter {
        "Accounts" => all(AccountRefusal::ALL),
        "Guilds" => all(GuildRefusal::ALL),
        "Shop" => all(ShopRefusal::ALL),
        "News" => all(NewsRefusal::ALL),
        "Payments" => all(PaymentRefusal::ALL),
        "Game" => all(GameRefusal::ALL),
        _ => vec![],
    }
}

/// An Api whose document says it all, and whose `find:id` paths work.
pub(crate) struct Documented<A>(pub A);

impl<A: OpenApi> OpenApi for Documented<A> {
    fn meta() -> Vec<MetaApi> {
        let mut apis = A::meta();
        for path in apis.iter_mut().flat_map(|api| &mut api.paths) {
            path.path = path.path.replace("/find:id", "/find{id}");
            let in_path = path.path.contains('{');
            path.operations.iter_mut().for_each(|operation| responses::complete(operation, in_path));
        }
        apis
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
        ProblemBody::register(registry);
        IdempotencyKey::register(registry);
    }

    fn add_routes(self, routes: &mut Routes) {
        let mut added = Routes::new();
        self.0.add_routes(&mut added);
        routes::add(added, &A::meta(), routes);
    }
}

/// The service that answers for these endpoints.
pub(crate) fn service<A: OpenApi>(apis: A) -> OpenApiService<A, ()> {
    OpenApiService::new(apis, "Guildhall", env!("CARGO_PKG_VERSION"))
        .description(include_str!("description.md"))
        .contact(ContactObject::new().name("Guildhall"))
        .license(LicenseObject::new("MIT OR Apache-2.0").url("https://opensource.org/licenses"))
        .server(ServerObject::new("/").description("The site that this document comes from."))
}

/// The document of these endpoints, as JSON. Made of types alone, so it needs no server.
pub(crate) fn document<A: OpenApi>() -> String {
    postprocess::finished(&service(OfTypes::<A>(PhantomData)).spec(), &A::meta())
}

/// The document of an Api without one: what is documented are types.
struct OfTypes<A>(PhantomData<A>);

impl<A: OpenApi> OpenApi for OfTypes<A> {
    fn meta() -> Vec<MetaApi> {
        A::meta()
    }

    fn register(registry: &mut Registry) {
        A::register(registry);
    }

    fn add_routes(self, _: &mut Routes) {}
}
