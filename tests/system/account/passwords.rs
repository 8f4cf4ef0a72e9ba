//! Changing a password, and the log-ins with it.

use http::Method;
use serde_json::{Value, json};

use super::email_changes::verified_player;
use crate::support::{
    authenticator::enable_second_factor,
    client::{Client, Response, send},
    community::PASSWORD,
    mailbox::Mailbox,
    options::Options,
    site::Site,
};

pub(super) const NEW_PASSWORD: &str = "velvet compass orchard";

pub(super) async fn log_in(site: &Site, password: &str) -> Response {
    site.visitor().post("/auth", json!({ "login": "mira", "password": password })).await
}

fn client_of(site: &Site, session: &Value) -> Client {
    site.visitor().with_token(session["access_token"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_the_password_ends_the_other_sessions() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let other = client_of(&site, &log_in(&site, PASSWORD).await.ok());
    let change = |old: &str, new: &str| {
        mira.post("/accounts/change-password", json!({ "old_password": old, "password": new }))
    };
    change("wrong horse", NEW_PASSWORD).await.problem(403, "wrong_password");
    change(PASSWORD, "mira@example.org").await.invalid("/password");
    change(PASSWORD, "too short").await.invalid("/password");
    other.get("/accounts/me").await.ok();
    assert_eq!(change(PASSWORD, NEW_PASSWORD).await.result()["ended_sessions"], 1);
    other.get("/accounts/me").await.problem(401, "unauthorized");
    mira.get("/accounts/me").await.ok();
    log_in(&site, PASSWORD).await.problem(401, "wrong_credentials");
    log_in(&site, NEW_PASSWORD).await.ok();
    mailbox.wait_for("mira@example.org", 2).await;
    site.finish().await;
}

/// The response to the first request may have been lost.
#[tokio::test(flavor = "multi_thread")]
async fn repeated_requests_with_the_former_password_get_the_first_response() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let requests = [
        ("/accounts/change-email", json!({ "email": "new@example.org", "password": PASSWORD })),
        ("/accounts/request-export", json!({ "password": PASSWORD })),
        ("/accounts/delete", json!({ "password": PASSWORD })),
        ("/accounts/change-password", json!({ "old_password": PASSWORD, "password": NEW_PASSWORD })),
    ];
    let mut first = vec![];
    for (path, body) in &requests {
        first.push(mira.post_with_key(path, body, path).await.result());
    }
    for ((path, body), first) in requests.iter().zip(first) {
        assert_eq!(mira.post_with_key(path, body, path).await.result(), first, "{path}");
        mira.post_with_key(path, body, "another").await.problem(403, "wrong_password");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_lists_and_ends_sessions() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let request = site.visitor().request(Method::POST, "/auth").header("User-Agent", "Tablet");
    let body = json!({ "login": "mira", "password": PASSWORD });
    let tablet = client_of(&site, &send(request.json(&body)).await.ok());
    let third = client_of(&site, &log_in(&site, PASSWORD).await.ok());
    let sessions = mira.get("/accounts/sessions").await.ok();
    let sessions = sessions["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 3);
    assert_eq!(sessions.iter().filter(|session| session["current"] == true).count(), 1);
    let on_tablet = sessions.iter().find(|session| session["device"] == "Tablet").unwrap();
    assert_eq!(on_tablet["network"], "127.0.0.1");

    let path = format!("/accounts/sessions/{}", on_tablet["session_id"].as_str().unwrap());
    tom.delete(&path).await.problem(404, "session_not_found");
    tablet.get("/accounts/me").await.ok();
    mira.delete(&path).await.result();
    tablet.get("/accounts/me").await.problem(401, "unauthorized");
    assert_eq!(mira.delete("/accounts/sessions").await.result()["ended"], 1);
    third.get("/accounts/me").await.problem(401, "unauthorized");
    assert_eq!(mira.get("/accounts/sessions").await.ok()["sessions"].as_array().unwrap().len(), 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_from_a_new_device_and_network_is_told_by_mail() {
    let mailbox = Mailbox::start().await;
    let options = Options { has_trusted_proxy: true, ..mailbox.options() };
    let site = Site::start_with(options).await;
    verified_player(&site, &mailbox, "mira").await;
    let log_in_from = async |address: &str, device_token: Option<&Value>| {
        let mut body = json!({ "login": "mira", "password": PASSWORD });
        if let Some(token) = device_token {
            body["device_token"] = token.clone();
        }
        let request = site.visitor().request(Method::POST, "/auth").header("User-Agent", "Tablet <b>");
        send(request.header("X-Forwarded-For", address).json(&body)).await.ok()
    };
    let session = log_in_from("203.0.113.1", None).await;
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    assert!(mail.text.contains("Tablet <b>") && mail.text.contains("203.0.113.1"), "{}", mail.text);
    // The same network, and then the same device, are known.
    log_in_from("203.0.113.1", None).await;
    log_in_from("203.0.113.2", Some(&session["device_token"])).await;
    assert_eq!(site.count("select count(*) from mails where kind = 'new_device'").await, 1);
    site.finish().await;
}

/// A hash of the password of all accounts, with weaker parameters than the current ones.
const WEAK_HASH: &str =
    "$argon2id$v=19$m=1024,t=1,p=1$krPFC/r5ygn/AMreXIpqkA$+ulteGmCUXd1igDfOtle+CyM+XwQI+130DkPQ9f7c1s";

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_renews_a_weak_hash() {
    let site = Site::start().await;
    site.player("mira").await;
    let weaken = format!("update accounts set password_hash = '{WEAK_HASH}'");
    let weak = "select count(*) from accounts where password_hash like '%m=1024,%'";
    site.execute(&weaken).await;
    log_in(&site, "wrong horse").await.problem(401, "wrong_credentials");
    assert_eq!(site.count(weak).await, 1);
    log_in(&site, PASSWORD).await.ok();
    assert_eq!(site.count(weak).await, 0);
    log_in(&site, PASSWORD).await.ok();

    // With a second factor, the log-in is complete after the code.
    let app = enable_second_factor(&client_of(&site, &log_in(&site, PASSWORD).await.ok())).await;
    site.execute(&weaken).await;
    let code = app.fresh_code(&site).await;
    site.log_in_with_code("mira", &code).await.ok();
    assert_eq!(site.count(weak).await, 0);
    site.finish().await;
}

/// Machines send the same letters as one code point or as two.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_the_same_on_each_machine() {
    let site = Site::start().await;
    let (composed, decomposed) =
        ("caf\u{e9} lanterna \u{e2}ncora", "cafe\u{301}\u{a0}lanterna a\u{302}ncora");
    let account = json!({ "name": "mira", "email": "mira@example.org", "password": decomposed });
    site.visitor().post("/accounts/register", account).await.result();
    log_in(&site, composed).await.ok();
    log_in(&site, decomposed).await.ok();
    log_in(&site, "cafe lanterna ancora").await.problem(401, "wrong_credentials");
    site.finish().await;
}
