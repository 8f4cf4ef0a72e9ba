//! Every operation, requested by every principal, about fixtures that exist.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use futures_util::future::join_all;
use serde_json::{Map, Value};

use super::{
    expectation::{Expectation, expectation},
    fixtures::Fixtures,
    policy::{Audience, Row, Scope, policy},
    principal::{ALL_PRINCIPALS, Principal},
    requests::Observed,
};
use crate::support::service::openapi_document;

impl Observed {
    /// Whether the response is as expected. `documented` are the refusals that the document has for the operation.
    fn matches(&self, expected: Expectation, documented: &BTreeSet<&str>) -> bool {
        let done = [200, 201, 202, 204].contains(&self.status);
        let matches = match expected {
            Expectation::Unauthenticated => self.status == 401 && self.code == "unauthorized",
            Expectation::Problem(status, code) => self.status == status && self.code == code,
            Expectation::Admitted => done || documented.contains(self.code.as_str()),
            Expectation::DoneWithMarker(shows_marker) => done && self.shows_marker == shows_marker,
        };
        matches && self.challenge == (self.status == 401)
    }
}

/// The codes of refusals that a principal may receive, although the operation is open to it.
fn refusals_of_admitted<'a>(operation: &'a Value, (_, _, scope): &Row) -> BTreeSet<&'a str> {
    let responses = operation["responses"].as_object().unwrap().values();
    let examples = responses.filter_map(|response| {
        response["content"]["application/problem+json"]["examples"].as_object().map(Map::keys)
    });
    let stranger = match scope {
        Scope::Forbidden(code) | Scope::NotFound(code, _) => *code,
        Scope::All | Scope::ShowsMarker(_) => "",
    };
    let of_roles = ["role_missing", "second_factor_missing", stranger];
    // The example has an invented challenge. The api refuses it before any rule.
    let others = ["invalid_challenge"];
    examples.flatten().map(String::as_str).filter(|code| !of_roles.contains(code)).chain(others).collect()
}

/// The operations of the document by their ids, with method and path.
pub(super) fn operations(document: &Value) -> BTreeMap<&str, (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.map(|found| (found.2["operationId"].as_str().unwrap(), found)).collect()
}

/// The example of the operation's body, if it takes one.
pub(super) fn example(document: &Value, operation: &Value) -> Option<Value> {
    let schema = &operation.get("requestBody")?["content"]["application/json"]["schema"];
    let name = schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
    Some(document["components"]["schemas"][name]["example"].clone())
}

/// Who may send each operation, as one line per operation. It only changes on purpose.
#[test]
fn the_access_of_each_operation_is_the_committed_one() {
    let mut lines: Vec<String> = policy()
        .iter()
        .map(|(id, audience, scope)| {
            let others = match scope {
                Scope::All | Scope::ShowsMarker(_) => String::new(),
                Scope::Forbidden(code) => format!("\tothers: 403 {code}"),
                Scope::NotFound(code, _) => format!("\tothers: 404 {code}"),
            };
            format!("{id}\t{audience:?}{others}\n")
        })
        .collect();
    lines.sort();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("access");
    let (path, text) = (folder.join("access.tsv"), lines.concat());
    if env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(path).unwrap();
    assert_eq!(text, committed, "if the change is intended: ./dev document");
    let released = fs::read_to_string(folder.join("access_0.3.0.tsv")).unwrap();
    let changed: Vec<&str> =
        released.lines().filter(|line| !committed.lines().any(|new| new == *line)).collect();
    assert!(
        changed.is_empty(),
        "the access of these operations differs from the last release:\n{}",
        changed.join("\n")
    );
}

#[test]
fn the_policy_and_the_openapi_document_agree() {
    let document = openapi_document();
    let mut operations = operations(&document);
    for row in policy() {
        let (id, audience, _) = &row;
        let (_, _, operation) = operations
            .remove(id.as_str())
            .unwrap_or_else(|| panic!("{id} is not documented, or is in the policy twice"));
        assert_eq!(operation["security"], audience.security(), "{id}");
        for principal in ALL_PRINCIPALS {
            let status = match expectation(&row, principal) {
                Expectation::Unauthenticated => 401,
                Expectation::Problem(status, _) => status,
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
    for row in &policy() {
        let (id, audience, _) = row;
        let Some(&(method, path, operation)) = operations.get(id.as_str()) else { continue };
        let example = example(&document, operation);
        let (fixtures, example) = (&fixtures, example.as_ref());
        let cell = |principal| async move {
            let request = fixtures.request(id, (method, path), example, principal).await;
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
            if !observed.matches(expected, &refusals_of_admitted(operation, row)) {
                wrong.push(format!("{id} by {principal:?}: {observed:?}, expected {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {cells} cells are wrong:\n  {}", wrong.len(), wrong.join("\n  "));
    assert_eq!(cells, operations.len() * ALL_PRINCIPALS.len());
    fixtures.site.finish().await;
}
