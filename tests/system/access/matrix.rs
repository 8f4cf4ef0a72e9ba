//! Every operation, requested by every principal, about fixtures that exist.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::Value;

use super::{
    expectation::{Expectation, expectation},
    fixtures::Fixtures,
    policy::{Audience, POLICY},
    principal::{ALL_PRINCIPALS, Principal},
    requests::Observed,
};
use crate::support::service::openapi_document;

impl Observed {
    fn matches(&self, expected: Expectation) -> bool {
        let done = [200, 201, 202, 204].contains(&self.status);
        let matches = match expected {
            Expectation::Unauthenticated => self.status == 401 && self.code == "unauthorized",
            Expectation::Problem(status, code) | Expectation::RefusedByRule(status, code) => {
                self.status == status && self.code == code
            }
            Expectation::Done => done,
            Expectation::DoneWithMarker(shows_marker) => done && self.shows_marker == shows_marker,
        };
        matches && self.challenge == (self.status == 401)
    }
}

/// The operations of the document by their ids, with method and path.
fn operations(document: &Value) -> BTreeMap<&str, (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.map(|found| (found.2["operationId"].as_str().unwrap(), found)).collect()
}

#[test]
fn the_policy_and_the_openapi_document_agree() {
    let document = openapi_document();
    let mut operations = operations(&document);
    for row in POLICY {
        let (id, audience, _) = row;
        let (_, _, operation) = operations
            .remove(id)
            .unwrap_or_else(|| panic!("{id} is not documented, or is in the policy twice"));
        assert_eq!(operation["security"], audience.security(), "{id}");
        for principal in ALL_PRINCIPALS {
            let status = match expectation(row, principal) {
                Expectation::Unauthenticated => 401,
                Expectation::Problem(status, _) | Expectation::RefusedByRule(status, _) => status,
                _ => continue,
            };
            assert!(
                operation["responses"].get(status.to_string()).is_some(),
                "{id} does not document its {status}"
            );
        }
    }
    assert!(operations.is_empty(), "the policy lacks these operations: {:?}", operations.keys());
}

#[tokio::test(flavor = "multi_thread")]
async fn each_principal_may_do_what_the_policy_says_and_nothing_else() {
    let document = openapi_document();
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let (mut cells, mut wrong) = (0, vec![]);
    for row in POLICY {
        let (id, audience, _) = row;
        let Some((method, path, operation)) = operations.get(id) else { continue };
        let fixtures = &fixtures;
        let cell = |principal| async move {
            let request = fixtures.request(id, method, path, principal).await;
            assert_eq!(request.body.is_some(), operation.get("requestBody").is_some(), "{id}");
            (principal, fixtures.send(request, id, principal).await)
        };
        // Refused requests and public reads do not influence each other, so they can be concurrent.
        let is_concurrent = |principal: &Principal| {
            let refused = matches!(
                expectation(row, *principal),
                Expectation::Unauthenticated | Expectation::Problem(..)
            );
            refused || matches!(audience, Audience::Public | Audience::OptionalToken | Audience::Browsers)
        };
        let (concurrent, sequential): (Vec<Principal>, Vec<Principal>) =
            ALL_PRINCIPALS.into_iter().partition(is_concurrent);
        let mut responses = join_all(concurrent.into_iter().map(cell)).await;
        for principal in sequential {
            responses.push(cell(principal).await);
        }
        for (principal, observed) in responses {
            let expected = expectation(row, principal);
            cells += 1;
            if !observed.matches(expected) {
                wrong.push(format!("{id} by {principal:?}: {observed:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cells} cells are wrong:\n  {}", wrong.len(), wrong.join("\n  "));
    assert_eq!(cells, operations.len() * ALL_PRINCIPALS.len());
    fixtures.site.finish().await;
}
