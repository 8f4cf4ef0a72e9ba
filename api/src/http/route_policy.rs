//! The route policy: each path that differs from the default, in one table.
//!
//! Middleware and the OpenAPI document read the same table.

pub(crate) const DOCS: &str = "/docs";
pub(crate) const OPENAPI_JSON: &str = "/openapi.json";

const KIB: usize = 1024;

/// The rules for the requests of one path.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoutePolicy {
    pub(crate) path: &'static str,
    /// The maximum number of bytes of a request body.
    pub(crate) body_limit: usize,
    pub(crate) time_limit: TimeLimit,
    pub(crate) rate_limit: RateLimit,
    pub(crate) authentication: Authentication,
    /// Each item of a list in the body has a result of its own, so an invalid one does not refuse the others.
    pub(crate) has_row_results: bool,
    pub(crate) headers: HeaderClass,
    pub(crate) documentation: Documentation,
}

/// The time limit of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeLimit {
    /// The limit that all requests have.
    Standard,
    /// The query `?wait=N` adds N seconds to the standard limit.
    LongPoll,
}

/// The requests of a path that count against the rate limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RateLimit {
    /// Each request counts.
    Counted,
    /// A `POST` counts only if its sender is not verified. The endpoint counts it.
    CountedIfUnverified,
}

/// How a request proves its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Authentication {
    /// A bearer token. Middleware identifies the caller. A request without one may have no body.
    BearerToken,
    /// Nothing: everybody may send a body.
    None,
    /// A secret or a signature of a payment provider. The endpoint verifies it.
    ProviderSignature,
}

/// The set of security and caching headers of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeaderClass {
    /// A response that a browser neither executes nor embeds.
    Api,
    /// A page with scripts and styles of its own.
    Page,
}

/// How the OpenAPI document describes a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Documentation {
    /// As operations. Request bodies have no other fields than the described ones.
    Operations,
    /// As operations, and as callbacks of a payment. A provider may add fields to its request bodies.
    Callback,
    /// Not at all.
    Absent,
}

/// The policy of every path that the table does not name.
pub(crate) const DEFAULT: RoutePolicy = RoutePolicy {
    path: "",
    body_limit: 64 * KIB,
    time_limit: TimeLimit::Standard,
    rate_limit: RateLimit::Counted,
    authentication: Authentication::BearerToken,
    has_row_results: false,
    headers: HeaderClass::Api,
    documentation: Documentation::Operations,
};

/// A path for clients that have no token yet.
const PUBLIC: RoutePolicy = RoutePolicy { authentication: Authentication::None, ..DEFAULT };

/// A notification of a bank can contain many payments.
const WEBHOOK: RoutePolicy = RoutePolicy {
    body_limit: 256 * KIB,
    rate_limit: RateLimit::CountedIfUnverified,
    authentication: Authentication::ProviderSignature,
    documentation: Documentation::Callback,
    ..DEFAULT
};

/// A picture of 1 MiB in Base64, which is a third longer, with its braces and names.
const PICTURE: RoutePolicy = RoutePolicy { body_limit: 1367 * KIB, ..DEFAULT };

/// A post is long.
const POST: RoutePolicy = RoutePolicy { body_limit: 1024 * KIB, ..DEFAULT };

pub(crate) const TABLE: &[RoutePolicy] = &[
    RoutePolicy { path: DOCS, headers: HeaderClass::Page, documentation: Documentation::Absent, ..DEFAULT },
    RoutePolicy { path: OPENAPI_JSON, documentation: Documentation::Absent, ..DEFAULT },
    RoutePolicy { path: "/accounts/register", ..PUBLIC },
    RoutePolicy { path: "/accounts/verify-email", ..PUBLIC },
    RoutePolicy { path: "/accounts/undo-email-change", ..PUBLIC },
    RoutePolicy { path: "/accounts/forgot-password", ..PUBLIC },
    RoutePolicy { path: "/accounts/reset-password", ..PUBLIC },
    RoutePolicy { path: "/accounts/open-export", ..PUBLIC },
    RoutePolicy { path: "/accounts/cancel-deletion-by-link", ..PUBLIC },
    RoutePolicy { path: "/auth", ..PUBLIC },
    RoutePolicy { path: "/auth/second-factor", ..PUBLIC },
    RoutePolicy { path: "/auth/refresh", ..PUBLIC },
    RoutePolicy { path: "/auth/cookie", ..PUBLIC },
    RoutePolicy { path: "/auth/cookie/second-factor", ..PUBLIC },
    RoutePolicy { path: "/news/create", ..POST },
    RoutePolicy { path: "/news/edit", ..POST },
    RoutePolicy { path: "/news/preview", ..POST },
    RoutePolicy { path: "/guild/change-logo", ..PICTURE },
    // A game server sends up to 1,000 characters in one request.
    RoutePolicy { path: "/game/characters", body_limit: 512 * KIB, has_row_results: true, ..DEFAULT },
    // Guilds with hundreds of members.
    RoutePolicy { path: "/game/guilds/import", body_limit: 1024 * KIB, ..DEFAULT },
    // A hundred deaths, with two names each.
    RoutePolicy { path: "/game/deaths", body_limit: 128 * KIB, has_row_results: true, ..DEFAULT },
    RoutePolicy { path: "/game/changes", time_limit: TimeLimit::LongPoll, ..DEFAULT },
    RoutePolicy { path: "/game/deliveries", time_limit: TimeLimit::LongPoll, ..DEFAULT },
    RoutePolicy { path: "/payments/instant/webhook", ..WEBHOOK },
    RoutePolicy { path: "/payments/instant/webhook/pix", ..WEBHOOK },
];

/// The policy of a path. Paths of the table have no variables, so this is a comparison of texts.
pub(crate) fn of(path: &str) -> &'static RoutePolicy {
    TABLE.iter().find(|policy| policy.path == path).unwrap_or(&DEFAULT)
}

/// The paths that the OpenAPI document also describes as callbacks.
pub(crate) fn callbacks() -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(|policy| policy.documentation == Documentation::Callback).map(|policy| policy.path)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    #[test]
    fn document_has_each_path_of_the_table_that_is_documented() {
        let document: Value = serde_json::from_str(&crate::document()).unwrap();
        for policy in TABLE {
            let is_documented = document["paths"].get(policy.path).is_some();
            assert_eq!(is_documented, policy.documentation != Documentation::Absent, "{}", policy.path);
        }
    }

    /// Otherwise the endpoint would get an empty body.
    #[test]
    fn body_without_a_token_needs_a_row_in_the_table() {
        let document: Value = serde_json::from_str(&crate::document()).unwrap();
        for (path, item) in document["paths"].as_object().unwrap() {
            for operation in item.as_object().unwrap().values() {
                let schemes = operation["security"].as_array().map_or(&[][..], Vec::as_slice);
                let is_public = schemes.is_empty() || schemes.contains(&Value::Object(Default::default()));
                if operation.get("requestBody").is_some() && is_public {
                    assert_eq!(of(path).authentication, Authentication::None, "{path}");
                }
            }
        }
    }

    /// Otherwise the request would end before its wait.
    #[test]
    fn request_that_can_wait_has_a_longer_time_limit() {
        let document: Value = serde_json::from_str(&crate::document()).unwrap();
        for (path, item) in document["paths"].as_object().unwrap() {
            let parameters = item["get"]["parameters"].as_array().map_or(&[][..], Vec::as_slice);
            let waits =
                parameters.iter().any(|parameter| parameter["name"] == "wait" && parameter["in"] == "query");
            assert_eq!(waits, of(path).time_limit == TimeLimit::LongPoll, "{path}");
        }
    }

    #[test]
    fn table_has_each_path_once() {
        let paths: BTreeSet<&str> = TABLE.iter().map(|policy| policy.path).collect();
        assert_eq!(paths.len(), TABLE.len());
    }
}
