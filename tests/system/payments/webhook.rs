//! The webhook that banks call: test calls, limits, certificates.

use std::sync::atomic::{AtomicU32, Ordering};

use guildhall_testkit::proxy::Proxy;
use http::Method;
use serde_json::json;

use crate::support::{
    bank::Bank,
    binaries::{binaries, program, run},
    client::send,
    notification::WEBHOOK,
    options::{Options, WEBHOOK_SECRET},
    rate_limit::RateLimit,
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn test_calls_of_a_bank_are_accepted() {
    let site = Site::start().await;
    let url = format!("{WEBHOOK}?secret={WEBHOOK_SECRET}");
    for body in ["", "{}", r#"{"evento":"teste_webhook"}"#, r#"{"pix":[]}"#, r#"{"pix":null}"#] {
        let response = send(site.visitor().request(Method::POST, &url).body(body)).await;
        assert_eq!(response.ok()["kept"], 0, "{body}");
    }
    // Some banks append /pix to the address, even after its query.
    send(site.visitor().request(Method::POST, &format!("{url}/pix"))).await.ok();
    send(site.visitor().request(Method::POST, &format!("{WEBHOOK}/pix?secret={WEBHOOK_SECRET}"))).await.ok();
    let deep = format!(r#"{{"deep":{}{}}}"#, "[".repeat(64), "]".repeat(64));
    for (body, pointer) in
        [("[]", ""), ("x", ""), (r#"{"pix":{}}"#, "/pix"), (r#"{"pix":[{"end"#, ""), (&deep, "")]
    {
        send(site.visitor().request(Method::POST, &url).body(body.to_owned())).await.invalid(pointer);
    }
    site.visitor().get(&url).await.problem(405, "method_not_allowed");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_cannot_be_queued_is_refused() {
    let link = Proxy::to(&Options::default().amqp_url).await.unwrap();
    let site = Site::start_with(Options { amqp_url: link.url.clone(), ..Options::default() }).await;
    link.refuse();
    site.wait_for_readiness("queue", false).await;
    let body = json!({ "pix": [{ "endToEndId": "E1", "txid": "t" }] });
    let url = format!("{WEBHOOK}?secret={WEBHOOK_SECRET}");
    let response = site.visitor().post(&url, body.clone()).await;
    assert!(response.headers.contains_key("retry-after"));
    response.problem(503, "queue_unavailable");
    link.restore();
    site.stop().await;
}

/// A limit that also counted the bank would refuse its notifications while someone guesses secrets.
#[tokio::test(flavor = "multi_thread")]
async fn wrong_secrets_are_rate_limited_and_the_right_secret_is_not() {
    let site = Site::start_with(Options { requests_per_minute: 20, ..Options::default() }).await;
    let guesses = AtomicU32::new(0);
    let guess = async || {
        let number = guesses.fetch_add(1, Ordering::SeqCst);
        site.visitor().post(&format!("{WEBHOOK}?secret={number:032x}"), json!({})).await
    };
    let mut limit = RateLimit::per_minute(20);
    for _ in 0..20 {
        guess().await.problem(401, "unauthorized");
    }
    for _ in 0..20 {
        limit.assert_refuses(&guess).await;
    }
    for _ in 0..40 {
        site.visitor().post(&format!("{WEBHOOK}?secret={WEBHOOK_SECRET}"), json!({})).await.ok();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_trusted_proxy_confirms_the_certificate_of_a_bank() {
    let header = "X-Client-Verify";
    for (has_trusted_proxy, verified, status) in [
        (true, Some("SUCCESS"), 200),
        (true, Some("FAILED"), 401),
        (true, None, 401),
        (false, Some("SUCCESS"), 401),
    ] {
        let certificate_header = Some(header.to_owned());
        let site =
            Site::start_with(Options { certificate_header, has_trusted_proxy, ..Options::default() }).await;
        let request = |path: &str| {
            let request = site.visitor().request(Method::POST, path);
            verified.into_iter().fold(request, |request, verified| request.header(header, verified))
        };
        let response = send(request(&format!("{WEBHOOK}?secret={WEBHOOK_SECRET}"))).await;
        assert_eq!(response.status, status, "{has_trusted_proxy} {verified:?}");
        // A certificate does not replace the secret.
        assert_eq!(send(request(WEBHOOK)).await.status, 401);
        site.finish().await;
    }
}

/// Other users of a machine can read the arguments of its processes.
#[tokio::test(flavor = "multi_thread")]
async fn an_operator_registers_the_webhook_without_its_secret_in_the_arguments() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let address = format!("{}{WEBHOOK}", site.url);
    let register = |address: &str, secret: Option<&str>, input: &str| {
        let mut command = program(&binaries().join("guildhall-workers"), &site.servers);
        command.envs(bank.environment()).args(["register-webhook", address]);
        command.envs(secret.map(|secret| ("GUILDHALL_PIX_WEBHOOK_SECRET", secret)));
        run(&mut command, input)
    };
    // The bank calls the address before it accepts it, so only the right secret can be registered.
    for (secret, input) in [(Some(WEBHOOK_SECRET), ""), (None, &format!("{WEBHOOK_SECRET}\n") as &str)] {
        let registered = register(&address, secret, input);
        assert!(registered.status.success(), "{registered:?}");
    }
    let short = register(&address, Some("0123456789"), "");
    assert!(String::from_utf8_lossy(&short.stderr).contains("at least 16 letters and digits"), "{short:?}");
    for (secret, input) in [(Some("0000000000000000"), ""), (None, ""), (None, "0000000000000000\n")] {
        assert!(!register(&address, secret, input).status.success(), "{secret:?} {input:?}");
    }
    let visible = register(&format!("{address}?secret={WEBHOOK_SECRET}"), None, "");
    let error = String::from_utf8(visible.stderr).unwrap();
    assert!(!visible.status.success() && error.contains("must have no query"), "{error}");
    site.finish().await;
    bank.stop().await;
}
