//! Commands of an account that changes while they wait in the queue. The api has checked it before, and the worker decides.

use guildhall_common::contract::account::AccountCommand;
use http::Method;
use serde_json::{Value, json};

use super::{email_changes::verified_player, second_factor::password_and_code};
use crate::support::{
    authenticator::{Authenticator, enable_second_factor, start_second_factor},
    client::Client,
    community::PASSWORD,
    mailbox::Mailbox,
    site::Site,
};

const NEW_PASSWORD: &str = "velvet compass orchard";

/// A player, a path and a body.
type Request<'a> = (&'a Client, &'static str, Value);

/// Queues the commands of these requests, then changes the database, and asserts that the worker refuses each of them.
async fn assert_refused(
    site: &mut Site,
    requests: Vec<Request<'_>>,
    change: &str,
    (status, code): (u16, &str),
) {
    site.stop_workers().await;
    let mut responses = vec![];
    for (client, path, body) in requests {
        let request = client.request(Method::POST, path).json(&body);
        responses.push((path, site.queue::<AccountCommand>(request).await));
    }
    site.execute(change).await;
    site.start_workers();
    for (path, response) in responses {
        let response = response.await.unwrap();
        assert_eq!(response.body["code"], code, "{path}");
        response.problem(status, code);
    }
}

/// Requests whose commands contain a proof of the password.
fn proven(player: &Client) -> Vec<Request<'_>> {
    vec![
        (player, "/accounts/change-email", json!({ "email": "new@example.org", "password": PASSWORD })),
        (player, "/accounts/change-password", json!({ "old_password": PASSWORD, "password": NEW_PASSWORD })),
        (player, "/accounts/delete", json!({ "password": PASSWORD })),
        (player, "/accounts/request-export", json!({ "password": PASSWORD })),
    ]
}

/// Requests that need a code of the second factor, too.
fn proven_twice<'a>(player: &'a Client, code: &str) -> Vec<Request<'a>> {
    vec![
        (player, "/accounts/second-factor/disable", password_and_code(code)),
        (player, "/accounts/second-factor/recovery-codes", password_and_code(code)),
    ]
}

/// The request that enables a second factor with a new app.
async fn enable_request(player: &Client) -> Request<'_> {
    let start = start_second_factor(player).await;
    let secret = data_encoding::BASE32_NOPAD.decode(start["secret"].as_str().unwrap().as_bytes()).unwrap();
    let app = Authenticator { secret, recovery_codes: vec![] };
    let first = json!({ "enrolment": start["enrolment"], "code": app.code(Authenticator::step()) });
    (player, "/accounts/second-factor/enable", first)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_does_nothing_any_more() {
    let mut site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let code = &enable_second_factor(&tom).await.recovery_codes[0];
    let visitor = site.visitor();
    let log_in = json!({ "challenge": site.challenge("tom").await, "code": code });
    let mut requests = vec![
        enable_request(&mira).await,
        (&mira, "/accounts/cancel-deletion", Value::Null),
        (&mira, "/accounts/change-language", json!({ "language": "pt" })),
        (&mira, "/accounts/create-character", json!({ "name": "Mira Stormborn", "vocation": "Knight" })),
        (&mira, "/accounts/link-code", Value::Null),
        (&mira, "/accounts/resend-verification", Value::Null),
        (&visitor, "/auth/second-factor", log_in),
    ];
    requests.extend(proven(&mira).into_iter().chain(proven_twice(&tom, code)));
    let delete = "update accounts set deleted_at = now()";
    assert_refused(&mut site, requests, delete, (404, "account_not_found")).await;
    assert_eq!(site.count("select count(*) from accounts where language <> 'en'").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_former_password_proves_nothing() {
    let mut site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let code = &enable_second_factor(&tom).await.recovery_codes[0];
    let requests = proven(&mira).into_iter().chain(proven_twice(&tom, code)).collect();
    let change = "update accounts set password_hash = password_hash || 'x'";
    assert_refused(&mut site, requests, change, (409, "password_has_changed")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_used_code_proves_nothing() {
    let mut site = Site::start().await;
    let mira = site.player("mira").await;
    let code = &enable_second_factor(&mira).await.recovery_codes[0];
    let requests = proven_twice(&mira, code);
    assert_refused(&mut site, requests, "delete from recovery_codes", (409, "second_factor_used")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_second_factor_does_not_change() {
    let mut site = Site::start().await;
    let mira = site.player("mira").await;
    let code = &enable_second_factor(&mira).await.recovery_codes[0];
    let requests = proven_twice(&mira, code);
    let disable = "update accounts set second_factor = null, second_factor_enabled_at = null,
                          second_factor_last_step = null";
    assert_refused(&mut site, requests, disable, (409, "second_factor_not_enabled")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_ends_if_the_account_is_closed_meanwhile() {
    let mut site = Site::start().await;
    site.player("mira").await;
    let visitor = site.visitor();
    let log_in = || vec![(&visitor, "/auth", json!({ "login": "mira", "password": PASSWORD }))];
    let expire = "update accounts set password_expired = true";
    assert_refused(&mut site, log_in(), expire, (403, "password_expired")).await;
    site.execute("update accounts set password_expired = false").await;
    let suspend = "update accounts set suspended_until = 'infinity', suspension_reason = 'Spam.'";
    assert_refused(&mut site, log_in(), suspend, (403, "account_suspended")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_new_passwords_is_set_by_a_link() {
    let mailbox = Mailbox::start().await;
    let mut site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    site.visitor().post("/accounts/forgot-password", json!({ "email": "mira@example.org" })).await;
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    site.stop_workers().await;
    let mut responses = vec![];
    for password in [NEW_PASSWORD, "amber lantern harbour"] {
        let body = json!({ "token": mail.token(), "password": password });
        let request = site.visitor().request(Method::POST, "/accounts/reset-password").json(&body);
        responses.push(site.queue::<AccountCommand>(request).await);
    }
    site.start_workers();
    let [first, second] = responses.try_into().unwrap();
    first.await.unwrap().result();
    second.await.unwrap().problem(404, "token_not_found");
    let log_in = json!({ "login": "mira", "password": NEW_PASSWORD });
    site.visitor().post("/auth", log_in).await.ok();
    site.finish().await;
}
