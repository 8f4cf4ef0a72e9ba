//! The replacement of the secret of the site, while clients repeat requests and use their tokens.

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response, send},
    community::PASSWORD,
    operation::wait_until_completed,
    options::{API_SECRET, NEW_API_SECRET, Options},
    site::Site,
};

/// Three apis of one site: before, during and after the replacement.
struct Apis {
    old: Client,
    both: Client,
    new: Client,
}

async fn start_apis(site: &mut Site, token: &str) -> Apis {
    let mut start = async |secrets: Vec<&'static str>| {
        let visitor = site.start_another_api(&Options { secrets, ..Options::default() }).await;
        visitor.with_token(token)
    };
    Apis {
        old: start(vec![API_SECRET, NEW_API_SECRET]).await,
        both: start(vec![NEW_API_SECRET, API_SECRET]).await,
        new: start(vec![NEW_API_SECRET]).await,
    }
}

async fn create_character(client: &Client, name: &str, key: &str) -> Response {
    let character = json!({ "name": name, "vocation": "Knight" });
    client.post_with_key("/accounts/create-character", &character, key).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_can_be_replaced_while_clients_repeat_requests() {
    let mut site = Site::start().await;
    let mira = site.player("mira").await;
    let apis = start_apis(&mut site, mira.token()).await;
    let first = create_character(&mira, "Mira", "before").await;
    let find = async |client: &Client, operation_id: &Value| {
        client.get(&format!("/operations/{}", operation_id.as_str().unwrap())).await
    };
    for api in [&apis.old, &apis.both] {
        api.get("/accounts/me").await.ok();
        assert_eq!(create_character(api, "Mira", "before").await.result(), first.clone().result());
        create_character(api, "Tom", "before").await.problem(422, "idempotency_key_reused");
        assert_eq!(find(api, &first.body["operation_id"]).await.ok()["result"], first.body["result"]);
    }
    // Both apis run at the same time, and a repeated request may reach either.
    let during = create_character(&apis.both, "Ana", "during").await;
    assert_eq!(create_character(&apis.old, "Ana", "during").await.result(), during.clone().result());
    let during_old = create_character(&apis.old, "Bia", "during too").await;
    assert_eq!(create_character(&apis.both, "Bia", "during too").await.result(), during_old.clone().result());
    assert_eq!(site.count("select count(*) from characters").await, 3);

    // Without the old secret, its tokens are invalid, but those of the new one are valid.
    apis.new.get("/accounts/me").await.problem(401, "unauthorized");
    let session = apis.both.post("/auth", json!({ "login": "mira", "password": PASSWORD })).await.ok();
    let mira = apis.new.with_token(session["access_token"].as_str().unwrap());
    assert_eq!(create_character(&mira, "Ana", "during").await.result(), during.clone().result());
    // Its key of the new secret was first used by a request that repeated another one.
    let again = create_character(&mira, "Bia", "during too").await;
    assert_eq!(again.clone().result(), during_old.result());
    assert_eq!(find(&mira, &again.body["operation_id"]).await.ok()["result"], again.body["result"]);
    let first_ones = "select count(distinct coalesce(repeats, operation_id)) from operations
                      where command = 'account.create_character' and outcome ? 'applied'";
    assert_eq!(site.count(first_ones).await, 3);
    assert_eq!(find(&mira, &during.body["operation_id"]).await.ok()["result"], during.body["result"]);
    site.finish().await;
}

/// Two requests with one key are queued by apis with different secrets, before either has an outcome.
#[tokio::test(flavor = "multi_thread")]
async fn queued_requests_of_two_secrets_are_applied_once() {
    let mut site = Site::start().await;
    let mira = site.player("mira").await;
    let apis = start_apis(&mut site, mira.token()).await;
    site.stop_workers().await;
    let character = json!({ "name": "Mira", "vocation": "Knight" });
    let mut operations = vec![];
    for api in [&mira, &apis.both, &apis.old] {
        let request = api.request(Method::POST, "/accounts/create-character");
        let request = request.header("Idempotency-Key", "once").header("Prefer", "respond-async");
        let response = send(request.json(&character)).await;
        assert_eq!(response.status, 202);
        operations.push(response.body["operation_id"].clone());
    }
    site.start_workers();
    for operation_id in &operations {
        let operation = wait_until_completed(&apis.both, operation_id).await;
        assert_eq!(operation["status"], "applied", "{operation}");
    }
    assert_eq!(site.count("select count(*) from characters").await, 1);
    site.finish().await;
}
