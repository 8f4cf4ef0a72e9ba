//! The proof of work: which requests need it, and how often a solution is accepted.

use guildhall_api::config::{CaptchaPlace, CaptchaSettings};
use guildhall_workers::operator::cache;
use http::{HeaderValue, Method};
use serde_json::json;

use super::solution::{account, altcha, another_api, register, register_with_key, request, solve};
use crate::support::{
    client::send,
    community::PASSWORD,
    options::{API_SECRET, NEW_API_SECRET, Options},
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_site_has_no_captcha_by_default() {
    let site = Site::start().await;
    let captcha = site.visitor().get("/captcha").await;
    assert_eq!(captcha.body, json!({ "kind": "off", "required_at": [] }));
    site.player("mira").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_strangers_need_a_solution() {
    let site = Site::start_with(altcha()).await;
    let visitor = site.visitor();
    let captcha = visitor.get("/captcha").await;
    assert_eq!(captcha.header("cache-control"), "no-store");
    assert!(captcha.headers.contains_key("ratelimit-remaining"));
    let captcha = captcha.ok();
    assert_eq!((&captcha["kind"], &captcha["algorithm"]), (&json!("altcha"), &json!("SHA-256")));
    assert_eq!(captcha["required_at"], json!(["registration", "recovery", "log_in"]));
    assert_eq!(captcha["maxnumber"], 100_000);
    assert_ne!(visitor.get("/captcha").await.ok()["challenge"], captcha["challenge"]);

    let (log_in, email) =
        (json!({ "login": "mira", "password": PASSWORD }), json!({ "email": "mira@example.org" }));
    let requests =
        [("/accounts/register", account("mira")), ("/auth", log_in), ("/accounts/forgot-password", email)];
    for (path, body) in &requests {
        visitor.post(path, body.clone()).await.problem(403, "captcha_required");
        send(request(&visitor, path, body, "e30=")).await.problem(403, "captcha_failed");
        send(request(&visitor, path, body, "not visible: \t")).await.invalid("Captcha");
        let not_ascii = HeaderValue::from_bytes(b"\xd7").unwrap();
        let other = visitor.request(Method::POST, path).json(body).header("Captcha", not_ascii);
        send(other).await.invalid("Captcha");
    }
    assert_eq!(site.count("select count(*) from operations").await, 0);
    for (path, body) in &requests {
        let solution = solve(&visitor).await;
        let accepted = send(request(&visitor, path, body, &solution)).await;
        assert!([200, 201, 202].contains(&accepted.status), "{path}: {accepted:?}");
        send(request(&visitor, path, body, &solution)).await.problem(403, "captcha_failed");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_chooses_the_requests() {
    let captcha = CaptchaSettings { captcha_at: vec![CaptchaPlace::Recovery], ..altcha().captcha };
    let site = Site::start_with(Options { captcha, ..Options::default() }).await;
    assert_eq!(site.visitor().get("/captcha").await.ok()["required_at"], json!(["recovery"]));
    site.player("mira").await;
    let email = json!({ "email": "mira@example.org" });
    site.visitor().post("/accounts/forgot-password", email).await.problem(403, "captcha_required");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_solution_is_accepted_once_at_all_apis() {
    let mut site = Site::start_with(altcha()).await;
    let (first, second) = (site.visitor(), another_api(&mut site, &altcha()).await);
    let solution = solve(&first).await;
    register(&second, "mira", &solution).await.result();
    // The command of an operator removes only copies of data in Postgres.
    assert!(cache::flush(&site.workers).await.unwrap() > 0);
    for api in [&first, &second] {
        register(api, "tom", &solution).await.problem(403, "captcha_failed");
    }
    // Also if the requests with it arrive together.
    let solution = solve(&first).await;
    let (one, other) = tokio::join!(register(&first, "tom", &solution), register(&second, "ana", &solution));
    assert_eq!([&one, &other].into_iter().filter(|response| response.is_completed()).count(), 1);
    assert_eq!(site.count("select count(*) from accounts").await, 2);
    site.finish().await;
}

/// Its response may be lost. The repeated request may reach another api.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_can_be_repeated_with_its_solution() {
    let mut site = Site::start_with(altcha()).await;
    let (first, second) = (site.visitor(), another_api(&mut site, &altcha()).await);
    // The request is not completed, so its repeats find no outcome.
    site.stop_workers().await;
    let solution = solve(&first).await;
    let repeat = async |client, name: &str, key: &str| {
        let request = request(client, "/accounts/register", &account(name), &solution);
        send(request.header("Idempotency-Key", key).header("Prefer", "respond-async")).await
    };
    for api in [&first, &second, &first] {
        assert_eq!(repeat(api, "mira", "once").await.status, 202);
    }
    // Another request must not use the solution: with another key, or with another body.
    repeat(&first, "mira", "twice").await.problem(403, "captcha_failed");
    repeat(&second, "tom", "once").await.problem(403, "captcha_failed");
    register(&second, "mira", &solution).await.problem(403, "captcha_failed");
    site.start_workers();
    let registered = register_with_key(&second, "mira", &solution, "once").await;
    assert_eq!(registered.result()["name"], "mira");
    // The outcome is known now, so the solution is not needed any more.
    let again = first.post_with_key("/accounts/register", &account("mira"), "once").await;
    assert_eq!(again.result()["name"], "mira");
    let email = json!({ "email": "mira@example.org" });
    let solution = solve(&first).await;
    for api in [&first, &second] {
        let recovery = request(api, "/accounts/forgot-password", &email, &solution);
        assert_eq!(send(recovery.header("Idempotency-Key", "once")).await.status, 202);
    }
    // A log-in takes no key.
    let log_in = json!({ "login": "mira", "password": PASSWORD });
    let solution = solve(&first).await;
    let log_in = || request(&first, "/auth", &log_in, &solution).header("Idempotency-Key", "once");
    send(log_in()).await.ok();
    send(log_in()).await.problem(403, "captcha_failed");
    assert_eq!(site.count("select count(*) from accounts").await, 1);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_captcha_is_valid_while_the_secret_is_replaced() {
    let mut site = Site::start_with(altcha()).await;
    let old = site.visitor();
    let both = Options { secrets: vec![NEW_API_SECRET, API_SECRET], ..altcha() };
    let both = another_api(&mut site, &both).await;
    let new = Options { secrets: vec![NEW_API_SECRET], ..altcha() };
    let new = another_api(&mut site, &new).await;
    register(&both, "mira", &solve(&old).await).await.result();
    register(&new, "tom", &solve(&both).await).await.result();
    register(&new, "ana", &solve(&old).await).await.problem(403, "captcha_failed");
    // A repeated request has another first name at the api with the new secret.
    site.stop_workers().await;
    let solution = solve(&old).await;
    let send_async = async |client| {
        let request = request(client, "/accounts/register", &account("bia"), &solution);
        send(request.header("Idempotency-Key", "once").header("Prefer", "respond-async")).await.status
    };
    assert_eq!((send_async(&old).await, send_async(&both).await), (202, 202));
    site.start_workers();
    site.finish().await;
}
