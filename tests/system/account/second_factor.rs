//! Enabling a second factor, and logging in with it.

use serde_json::{Value, json};

use super::email_changes::verified_player;
use crate::support::{
    authenticator::{Authenticator, enable_second_factor, start_second_factor},
    client::{Client, Response},
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    options::Options,
    site::Site,
};

pub(super) fn password_and_code(code: &str) -> Value {
    json!({ "password": PASSWORD, "code": code })
}

pub(super) async fn disable(player: &Client, body: Value) -> Response {
    player.post("/accounts/second-factor/disable", body).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_needs_a_code_that_is_valid_once() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    assert_eq!(mira.get("/accounts/me").await.ok()["second_factor"], false);
    let start = start_second_factor(&mira).await;
    let uri = start["uri"].as_str().unwrap();
    assert!(uri.starts_with("otpauth://totp/Night%20Watch:mira?secret="), "{uri}");
    assert!(start["qrcode_svg"].as_str().unwrap().contains("<svg"));
    // The account has no second factor before its first code.
    site.log_in("mira").await.ok();

    let app = enable_second_factor(&mira).await;
    assert_eq!(app.recovery_codes.len(), 10);
    assert_eq!(mira.get("/accounts/me").await.ok()["second_factor"], true);
    let told = mailbox.wait_for("mira@example.org", 2).await;
    assert!(told.subject.contains("turned on") && told.text.contains("/account/security"), "{told:?}");
    let again = mira.post("/accounts/second-factor/start", json!({ "password": PASSWORD })).await;
    again.problem(409, "second_factor_enabled");

    let asked = site.log_in("mira").await;
    assert_eq!(asked.header("cache-control"), "no-store");
    let challenge = asked.problem(401, "second_factor_required")["challenge"].clone();
    site.answer(&challenge, &app.wrong_code()).await.problem(401, "wrong_code");
    let code = app.fresh_code(&site).await;
    let session = site.answer(&challenge, &code).await;
    assert_eq!(session.header("cache-control"), "no-store");
    let session = session.ok();
    assert_eq!(session["account_id"], mira.account_id);
    assert_eq!(session["device_token"].as_str().unwrap().len(), 43);
    let client = site.visitor().with_token(session["access_token"].as_str().unwrap());
    client.get("/accounts/me").await.ok();
    site.answer(&challenge, &code).await.problem(409, "second_factor_used");
    site.log_in_with_code("mira", &code).await.problem(409, "second_factor_used");
    // The password alone is checked first.
    let wrong = json!({ "login": "mira", "password": "wrong horse" });
    site.visitor().post("/auth", wrong).await.problem(401, "wrong_credentials");
    site.finish().await;
}

/// The response to the code of a step near the present one. It is repeated if the step changes meanwhile.
async fn log_in_at(site: &Site, app: &Authenticator, offset: i64) -> Response {
    loop {
        app.fresh_code(site).await;
        let step = Authenticator::step();
        let response = site.log_in_with_code("mira", &app.code(step + offset)).await;
        if Authenticator::step() == step {
            return response;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_codes_of_the_previous_and_the_next_step_are_accepted() {
    let site = Site::start().await;
    let app = enable_second_factor(&site.player("mira").await).await;
    for offset in [-1, 0, 1] {
        log_in_at(&site, &app, offset).await.ok();
    }
    for offset in [-2, 2] {
        log_in_at(&site, &app, offset).await.problem(401, "wrong_code");
    }
    // An earlier code than the last one is refused, too.
    app.fresh_code(&site).await;
    let step = Authenticator::step();
    site.log_in_with_code("mira", &app.code(step)).await.ok();
    site.log_in_with_code("mira", &app.code(step)).await.problem(409, "second_factor_used");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recovery_code_is_valid_once() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let app = enable_second_factor(&mira).await;
    mailbox.wait_for("mira@example.org", 2).await;
    let code = app.recovery_codes[0].to_uppercase().replace('-', " ");
    site.log_in_with_code("mira", &code).await.ok();
    let told = mailbox.wait_for("mira@example.org", 3).await;
    assert!(told.text.contains("9 codes left"), "{}", told.text);
    site.log_in_with_code("mira", &code).await.problem(401, "wrong_code");
    // Another account does not have the code.
    enable_second_factor(&site.player("tom").await).await;
    site.log_in_with_code("tom", &app.recovery_codes[1]).await.problem(401, "wrong_code");

    let replace = async |body: Value| mira.post("/accounts/second-factor/recovery-codes", body).await;
    let wrong = json!({ "password": "wrong horse", "code": app.recovery_codes[1] });
    replace(wrong).await.problem(403, "wrong_password_or_code");
    let new = replace(password_and_code(&app.recovery_codes[1])).await.ok();
    assert_eq!(new["recovery_codes"].as_array().unwrap().len(), 10);
    site.log_in_with_code("mira", &app.recovery_codes[2]).await.problem(401, "wrong_code");
    site.log_in_with_code("mira", new["recovery_codes"][0].as_str().unwrap()).await.ok();
    site.finish().await;
}

async fn log_in_on(site: &Site, device_token: &Value) -> Response {
    let body = json!({ "login": "mira", "password": PASSWORD, "device_token": device_token });
    site.visitor().post("/auth", body).await
}

/// Logs in with a code and trusts the device; returns its token.
async fn trust_device(site: &Site, app: &Authenticator) -> Value {
    let challenge = site.challenge("mira").await;
    let body = json!({ "challenge": challenge, "code": app.fresh_code(site).await, "trust_device": true });
    site.visitor().post("/auth/second-factor", body).await.ok()["device_token"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_device_needs_no_code() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let app = enable_second_factor(&mira).await;
    let untrusted = site.log_in_with_code("mira", &app.fresh_code(&site).await).await.ok();
    log_in_on(&site, &untrusted["device_token"]).await.problem(401, "second_factor_required");
    let device = trust_device(&site, &app).await;
    assert_ne!(device, untrusted["device_token"]);
    let session = log_in_on(&site, &device).await.ok();
    assert_eq!(session["device_token"], device);
    // The network of a trusted device is not trusted, and neither is the device for another account.
    site.challenge("mira").await;
    enable_second_factor(&site.player("tom").await).await;
    let of_tom = json!({ "login": "tom", "password": PASSWORD, "device_token": device });
    site.visitor().post("/auth", of_tom).await.problem(401, "second_factor_required");
    let wrong = json!({ "login": "mira", "password": "wrong horse", "device_token": device });
    site.visitor().post("/auth", wrong).await.problem(401, "wrong_credentials");

    let trusted = "select trusted_until from known_clients where trusted_until is not null";
    site.wait_until_ahead(trusted, "30 days").await;
    site.execute("update known_clients set trusted_until = now() where trusted_until is not null").await;
    log_in_on(&site, &device).await.problem(401, "second_factor_required");
    let device = trust_device(&site, &app).await;
    log_in_on(&site, &device).await.ok();
    // A new password keeps the second factor and ends the trust.
    let change = json!({ "old_password": PASSWORD, "password": PASSWORD });
    mira.post("/accounts/change-password", change).await.result();
    log_in_on(&site, &device).await.problem(401, "second_factor_required");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn disabling_needs_the_password_and_a_code() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    disable(&mira, password_and_code("123456")).await.problem(409, "second_factor_not_enabled");
    let app = enable_second_factor(&mira).await;
    let device = trust_device(&site, &app).await;
    mailbox.wait_for("mira@example.org", 2).await;
    let code = app.fresh_code(&site).await;
    disable(&mira, password_and_code(&app.wrong_code())).await.problem(403, "wrong_password_or_code");
    let wrong = json!({ "password": "wrong horse", "code": code });
    disable(&mira, wrong).await.problem(403, "wrong_password_or_code");
    disable(&mira, password_and_code(&code)).await.ok();
    let told = mailbox.wait_for("mira@example.org", 3).await;
    assert!(told.subject.contains("turned off"), "{told:?}");
    site.log_in("mira").await.ok();
    assert_eq!(site.count("select count(*) from recovery_codes").await, 0);
    assert_eq!(site.count("select count(*) from known_clients where trusted_until is not null").await, 0);
    // A second factor that is enabled later trusts no device of the time before.
    enable_second_factor(&mira).await;
    log_in_on(&site, &device).await.problem(401, "second_factor_required");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_can_require_it_for_roles() {
    let site = Site::start_with(Options { second_factor_required: true, ..Options::default() }).await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let list = "/admin/payments";
    boss.get(list).await.problem(403, "second_factor_missing");
    boss.get("/news/listDashboard/1/10").await.problem(403, "second_factor_missing");
    editor.get("/news/listDashboard/1/10").await.problem(403, "second_factor_missing");
    editor.get(list).await.problem(403, "role_missing");
    site.player("mira").await.get(list).await.problem(403, "role_missing");
    assert_eq!(boss.get("/accounts/me").await.ok()["roles"], json!(["player"]));

    // A thief who knows the password has logged in before.
    let thief = site.log_in("boss").await.ok()["access_token"].as_str().unwrap().to_owned();
    let thief = site.visitor().with_token(&thief);
    thief.get(list).await.problem(403, "second_factor_missing");
    let app = enable_second_factor(&boss).await;
    thief.get(list).await.problem(401, "unauthorized");
    boss.get(list).await.ok();
    assert_eq!(boss.get("/accounts/me").await.ok()["roles"], json!(["player", "admin"]));
    let code = app.fresh_code(&site).await;
    disable(&boss, password_and_code(&code)).await.ok();
    boss.get(list).await.problem(403, "second_factor_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_resets_a_lost_second_factor() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let action = json!({ "account_id": mira.account_id, "reason": "Lost the phone." });
    let reset = async || boss.post("/admin/accounts/reset-second-factor", action.clone()).await;
    reset().await.problem(409, "second_factor_not_enabled");
    enable_second_factor(&mira).await;
    mailbox.wait_for("mira@example.org", 2).await;
    reset().await.result();
    site.log_in("mira").await.ok();
    let told = mailbox.wait_for("mira@example.org", 3).await;
    assert!(told.subject.contains("turned off"), "{told:?}");
    site.set_role("mira", StaffRole::Admin, true).await;
    reset().await.problem(403, "target_is_admin");
    site.finish().await;
}
