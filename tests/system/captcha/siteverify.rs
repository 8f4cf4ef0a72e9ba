//! Captchas of a provider.

use serde_json::json;

use super::{
    provider::CaptchaProvider,
    solution::{account, another_api, register, register_with_key, request},
};
use crate::support::{client::send, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn the_provider_decides_about_solutions() {
    let provider = CaptchaProvider::start().await;
    let site = Site::start_with(provider.options()).await;
    let visitor = site.visitor();
    let captcha = json!({
        "kind": "siteverify", "required_at": ["registration", "recovery"], "site_key": "1x00000000000000000000AA",
    });
    assert_eq!(visitor.get("/captcha").await.ok(), captcha);
    visitor.post("/accounts/register", account("mira")).await.problem(403, "captcha_required");
    assert_eq!(provider.requests().len(), 0);
    register(&visitor, "mira", "wrong").await.problem(403, "captcha_failed");
    register(&visitor, "mira", "solved&secret=+1%").await.result();
    let form = json!({
        "secret": "1x0000000000000000000000000000000AA", "response": "solved&secret=+1%", "remoteip": "127.0.0.1",
    });
    assert_eq!(provider.requests()[1], form);
    // A used solution is known here, so the provider is not asked again.
    register(&visitor, "tom", "solved&secret=+1%").await.problem(403, "captcha_failed");
    assert_eq!(provider.requests().len(), 2);
    let recovery =
        request(&visitor, "/accounts/forgot-password", &json!({ "email": "a@example.org" }), "solved-2");
    assert_eq!(send(recovery).await.status, 202);
    site.log_in("mira").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_provider_no_request_is_accepted() {
    let provider = CaptchaProvider::start().await;
    let site = Site::start_with(provider.options()).await;
    for failure in ["silent", "slow", "broken", "moved", "no-json", "giant", "misconfigured"] {
        let refused = register(&site.visitor(), "mira", failure).await;
        assert_eq!(refused.header("retry-after"), "1", "{failure}");
        refused.problem(503, "captcha_unavailable");
        let sent = provider.requests().into_iter().filter(|form| form["response"] == failure).count();
        assert_eq!(sent, 1, "a redirect is not followed: {failure}");
    }
    assert_eq!(site.count("select count(*) from accounts").await, 0);
    register(&site.visitor(), "mira", "solved").await.result();
    site.finish().await;
}

/// The provider accepts a solution once. A repeated request uses the answer that the site remembers, at each api.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_can_be_repeated_with_a_solution_that_the_provider_does_not_accept_again() {
    let provider = CaptchaProvider::start().await;
    let mut site = Site::start_with(provider.options()).await;
    let (first, second) = (site.visitor(), another_api(&mut site, &provider.options()).await);
    site.stop_workers().await;
    let repeat = async |client, key: &str| {
        let request = request(client, "/accounts/register", &account("mira"), "solved");
        send(request.header("Idempotency-Key", key).header("Prefer", "respond-async")).await
    };
    for api in [&first, &second, &first] {
        assert_eq!(repeat(api, "once").await.status, 202);
    }
    repeat(&second, "twice").await.problem(403, "captcha_failed");
    assert_eq!(provider.requests().len(), 1);
    site.start_workers();
    register_with_key(&second, "mira", "solved", "once").await.result();
    // A failure is not remembered.
    register_with_key(&first, "tom", "wrong", "other").await.problem(403, "captcha_failed");
    register_with_key(&first, "tom", "wrong", "other").await.problem(403, "captcha_failed");
    assert_eq!(provider.requests().len(), 3);
    site.finish().await;
}
