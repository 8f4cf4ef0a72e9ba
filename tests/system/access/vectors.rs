//! Hostile texts in each text field of each operation: a short list, or the files of `./dev vectors`.

mod views;

use std::{collections::BTreeSet, env, fs, path::Path};

use http::{HeaderValue, Method};
use serde_json::Value;

use self::views::{time, views};
use super::{
    expectation::admitted,
    fixtures::Fixtures,
    matrix::{example, operations},
    policy::{Audience, Row, policy},
    strict_requests::texts,
};
use crate::support::{
    client::{Response, send},
    service::openapi_document,
    site::Site,
};

/// The kinds of texts that have found something.
const SHORT_LIST: &str = include_str!("vectors/short.json");

/// Where each text can be read after it was sent: operation, pointer, operation of the view. `-`: nowhere.
const VIEWS: &str = include_str!("vectors/views.tsv");

/// The next request finds what it needs: the password of the owner, which all accounts have, the version of the examples, a name that
/// is not taken, and a leased delivery.
const RESTORE: &str = "
    update accounts set password_hash = (select password_hash from accounts where name = 'tom') where name = 'mira';
    update posts set version = 1;
    update shop_categories set version = 1;
    update shop_offers set version = 1;
    update shop_categories set name = 'Category ' || category_id where name like 'New %';
    update shop_offers set name = 'Offer ' || offer_id where name like 'New %';
    update deliveries
    set attempts = 1, refusals = 0, delivered_at = null, parked_at = null, discarded_at = null, return_transfer_id = null;
    update coin_packages set version = 1;";

/// The contents of the files of `./dev vectors`, whose paths are separated by colons.
fn files() -> Vec<Value> {
    let paths = env::var("GUILDHALL_TEST_VECTORS").unwrap_or_default();
    let read = |path: &str| {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    paths.split(':').filter(|path| !path.is_empty()).map(read).collect()
}

/// The texts to send: the JSON lists in the files, or the short list.
fn vectors() -> Vec<String> {
    let mut lists: Vec<_> = files().into_iter().filter(Value::is_array).collect();
    if lists.is_empty() {
        lists.push(serde_json::from_str(SHORT_LIST).unwrap());
    }
    lists.into_iter().flat_map(|list| serde_json::from_value::<Vec<String>>(list).unwrap()).collect()
}

/// A field of a request that has a text.
struct TextField<'a> {
    row: &'a Row,
    method: &'a str,
    path: &'a str,
    example: Value,
    pointer: String,
}

impl TextField<'_> {
    /// A request with the text, and the example in all other fields.
    async fn send(&self, fixtures: &Fixtures, text: &str) -> Response {
        let principal = admitted(self.row);
        let path = (self.method, self.path);
        let mut request = fixtures.request(&self.row.0, path, Some(&self.example), principal).await;
        *request.body.as_mut().unwrap().pointer_mut(&self.pointer).unwrap() = text.into();
        let response = send(fixtures.build(request, principal)).await;
        if response.status < 300 {
            fixtures.site.execute(RESTORE).await;
        }
        response
    }

    /// Texts that no other field has, one of which the field may accept.
    fn probes(&self, number: usize) -> Vec<String> {
        if self.example.pointer(&self.pointer).and_then(Value::as_str).and_then(time).is_some() {
            return vec![
                format!("2051-02-03T04:05:06.{number:06}Z"),
                format!("2021-02-03T04:05:06.{number:06}Z"),
            ];
        }
        let letter = |digit: usize| char::from(b'a' + (number >> (3 * digit) & 7) as u8);
        vec![format!("Probe {}", (0..4).map(letter).collect::<String>())]
    }

    fn name(&self) -> String {
        format!("{}\t{}", self.row.0, self.pointer)
    }
}

/// The fields of the operations that are not webhooks, whose senders may send any JSON.
fn text_fields<'a>(policy: &'a [Row], document: &'a Value) -> Vec<TextField<'a>> {
    let operations = operations(document);
    let rows = policy.iter().filter(|row| !matches!(row.1, Audience::Banks));
    let fields = rows.flat_map(|row| {
        let (method, path, operation) = operations[row.0.as_str()];
        let example = example(document, operation).unwrap_or_default();
        texts(&example)
            .into_iter()
            .map(move |pointer| TextField { row, method, path, example: example.clone(), pointer })
            .collect::<Vec<_>>()
    });
    fields.collect()
}

/// The file of views, in which each text is looked for in all views.
async fn find_views(
    fixtures: &Fixtures,
    fields: &[TextField<'_>],
    document: &Value,
    policy: &[Row],
) -> String {
    let views = views(policy, document);
    let mut lines = String::new();
    for (number, field) in fields.iter().enumerate() {
        let mut found = vec![];
        for probe in field.probes(number) {
            if found.is_empty() && field.send(fixtures, &probe).await.status < 300 {
                for (id, view) in &views {
                    if view.shows(fixtures, &probe).await {
                        found.push(*id);
                    }
                }
            }
        }
        // The audit log has most texts, so it is the last choice.
        found.sort_by_key(|id| *id == "admin_audit");
        lines += &format!("{}\t{}\n", field.name(), found.first().unwrap_or(&"-"));
    }
    lines
}

/// How many requests are sent to one site, at most: sessions last for 15 minutes.
const MAX_REQUESTS: usize = 4000;

#[tokio::test(flavor = "multi_thread")]
async fn each_text_field_keeps_or_refuses_hostile_texts() {
    let (document, policy, vectors) = (openapi_document(), policy(), vectors());
    let fields = text_fields(&policy, &document);
    if env::var_os("GUILDHALL_RENEW_VIEWS").is_some() {
        let fixtures = Fixtures::create().await;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("access/vectors/views.tsv");
        fs::write(path, find_views(&fixtures, &fields, &document, &policy).await).unwrap();
        return fixtures.site.stop().await;
    }
    let (views, mut problems, mut kept) = (views(&policy, &document), vec![], BTreeSet::new());
    for group in fields.chunks((MAX_REQUESTS / vectors.len()).max(1)) {
        let fixtures = Fixtures::create().await;
        for (field, text) in group.iter().flat_map(|field| vectors.iter().map(move |text| (field, text))) {
            let name = field.name();
            let view = VIEWS.lines().find_map(|line| line.strip_prefix(&name)?.strip_prefix('\t'));
            let view =
                view.unwrap_or_else(|| panic!("views.tsv has no line for {name}: run ./dev vectors --renew"));
            let response = field.send(&fixtures, text).await;
            // An empty text is none, and one of a list may be skipped, with its reason.
            let is_kept = response.status < 300 && view != "-" && !text.is_empty() && !has_skipped(&response);
            if is_kept && !views[view].shows(&fixtures, text).await {
                problems.push(format!("{name}: {text:?} is not in {view}"));
            } else if is_kept {
                kept.insert(name);
            } else if response.status == 400 && !names_field(&response, &field.pointer) {
                problems.push(format!("{name}: {text:?} is refused without its pointer: {}", response.body));
            } else if is_unexpected(&response) {
                problems.push(format!("{name}: {text:?}: {} {}", response.status, response.body));
            }
        }
        fixtures.site.stop().await;
    }
    println!("{} fields, {} texts, {} fields have kept texts", fields.len(), vectors.len(), kept.len());
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(fields.len() > 90 && kept.len() > 35, "{} {}", fields.len(), kept.len());
}

/// Whether the request was not judged: a fault of the site, or a session that has ended.
fn is_unexpected(response: &Response) -> bool {
    response.status >= 500 || response.body["code"] == "unauthorized"
}

/// Whether the operation has left something out, such as a delivery that another operation has ended.
fn has_skipped(response: &Response) -> bool {
    let lists = [&response.body["result"]["skipped"], &response.body["result"]["unchanged"]];
    lists.into_iter().filter_map(Value::as_array).any(|list| !list.is_empty())
}

/// Whether an error of the response is about the field, or about the value that it is a part of.
fn names_field(response: &Response, pointer: &str) -> bool {
    let errors = response.body["errors"].as_array();
    errors.into_iter().flatten().any(|error| {
        let named = error["pointer"].as_str().unwrap();
        pointer.starts_with(named) || named.starts_with(pointer)
    })
}

/// Texts in paths and queries only select what is shown.
#[tokio::test(flavor = "multi_thread")]
async fn each_text_parameter_is_read_or_refused() {
    let (document, policy, vectors) = (openapi_document(), policy(), vectors());
    let operations = operations(&document);
    let fixtures = Fixtures::create().await;
    let (mut problems, mut sent) = (vec![], 0);
    for row in policy.iter().filter(|row| operations[row.0.as_str()].0 == "get") {
        let (method, path, operation) = operations[row.0.as_str()];
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|parameter| parameter["in"] != "header") {
            let name = parameter["name"].as_str().unwrap();
            for text in vectors.iter().filter(|text| text.len() < 2000) {
                let text: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
                let principal = admitted(row);
                let changed = path.replace(&format!("{{{name}}}"), &text);
                let mut request = fixtures.request(&row.0, (method, &changed), None, principal).await;
                if parameter["in"] == "query" {
                    request.path += &format!("?{name}={text}");
                }
                let response = send(fixtures.build(request, principal)).await;
                if is_unexpected(&response) {
                    problems.push(format!("{} {name}={text}: {} {}", row.0, response.status, response.body));
                }
                sent += 1;
            }
        }
    }
    println!("{sent} requests");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    fixtures.site.finish().await;
}

/// Signed texts in the format of Wycheproof. None has a key of the site, so none is an access token, whatever its signature is worth.
#[tokio::test(flavor = "multi_thread")]
async fn no_signature_of_others_is_accepted() {
    let site = Site::start().await;
    let header = "eyJhbGciOiJub25lIn0"; // {"alg":"none"}
    let mut tokens = vec![format!("{header}.e30."), format!("{header}.eyJzdWIiOiIxIn0.AAAA")];
    for file in files().iter().filter(|file| file.is_object()) {
        let groups = file["testGroups"].as_array().into_iter().flatten();
        let tests = groups.flat_map(|group| group["tests"].as_array().into_iter().flatten());
        tokens.extend(tests.filter_map(|test| Some(test["jws"].as_str()?.to_owned())));
    }
    for token in &tokens {
        // A token with a line end is no header.
        let Ok(value) = HeaderValue::from_str(&format!("Bearer {token}")) else { continue };
        let response =
            send(site.visitor().request(Method::GET, "/accounts/me").header("Authorization", value)).await;
        assert!([400, 401].contains(&response.status), "{token}: {response:?}");
    }
    println!("{} tokens", tokens.len());
    site.finish().await;
}
