//! What administrators do with accounts of players.

use guildhall_testkit::{http::ResponseStream, proxy::Proxy};
use serde_json::{Value, json};

use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    support::{
        client::Client,
        community::StaffRole::{self, Admin},
        mailbox::Mailbox,
        options::{Options, promptpay_payments},
        site::Site,
        wait::with_hang_limit,
    },
};

async fn suspend(boss: &Client, account_id: i64, until: Value) -> crate::support::client::Response {
    let body = json!({ "account_id": account_id, "until": until, "reason": "Spam in the guild texts." });
    boss.post("/admin/accounts/suspend", body).await
}

fn action(account_id: i64) -> Value {
    json!({ "account_id": account_id, "reason": "The player wrote to the staff." })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suspended_account_loses_its_sessions_and_reads_the_reason() {
    let site = Site::start().await;
    let (boss, mira) = (site.player_with_role("boss", Admin).await, site.player("mira").await);
    suspend(&boss, mira.account_id, json!("2020-01-01T00:00:00Z"))
        .await
        .problem(409, "suspension_in_the_past");
    let suspended = suspend(&boss, mira.account_id, json!("2999-01-01T00:00:00Z")).await.result();
    assert_eq!(suspended["ended_sessions"], 1);
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    let refused = site.log_in("mira").await;
    let (until, reason) = (refused.body["suspended_until"].clone(), refused.body["reason"].clone());
    refused.problem(403, "account_suspended");
    assert_eq!((until, reason), (json!("2999-01-01T00:00:00Z"), json!("Spam in the guild texts.")));
    // A stranger without the password does not learn it.
    let wrong = json!({ "login": "mira", "password": "wrong horse" });
    site.visitor().post("/auth", wrong).await.problem(401, "wrong_credentials");

    boss.post("/admin/accounts/lift-suspension", action(mira.account_id)).await.result();
    site.log_in("mira").await.ok();
    boss.post("/admin/accounts/lift-suspension", action(mira.account_id)).await.problem(409, "not_suspended");
    suspend(&boss, mira.account_id, Value::Null).await.result();
    let for_ever = site.log_in("mira").await.body;
    assert!(for_ever.get("suspended_until").is_none() && for_ever["reason"].is_string(), "{for_ever}");
    site.execute("update accounts set suspended_until = now() where suspended_until is not null").await;
    site.log_in("mira").await.ok();

    let audit = boss.get("/admin/audit?limit=3").await.ok();
    let actions: Vec<&Value> =
        audit["items"].as_array().unwrap().iter().map(|item| &item["action"]).collect();
    assert_eq!(actions, ["account.suspend", "account.lift_suspension", "account.suspend"]);
    assert_eq!(audit["items"][2]["details"]["account_id"], mira.account_id);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn administrators_do_not_lock_out_each_other() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", Admin).await;
    let other = site.player_with_role("other", Admin).await;
    suspend(&boss, other.account_id, Value::Null).await.problem(403, "target_is_admin");
    let expire = action(other.account_id);
    boss.post("/admin/accounts/expire-password", expire).await.problem(403, "target_is_admin");
    other.get("/accounts/me").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_to_a_missing_account() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", Admin).await;
    suspend(&boss, 999, Value::Null).await.problem(404, "account_not_found");
    for path in ["expire-password", "lift-suspension", "reset-second-factor", "verify-email"] {
        let response = boss.post(&format!("/admin/accounts/{path}"), action(999)).await;
        response.problem(404, "account_not_found");
    }
    let role = json!({ "account_id": 999, "role": "editor" });
    boss.post("/admin/accounts/grant-role", role.clone()).await.problem(404, "account_not_found");
    boss.post("/admin/accounts/revoke-role", role).await.problem(404, "account_not_found");
    site.finish().await;
}

/// With Redis frozen and on another api, too.
#[tokio::test(flavor = "multi_thread")]
async fn a_suspension_ends_sessions_and_event_streams_at_once() {
    let usual = Options::default();
    let redis = Proxy::to(&usual.redis_url).await.unwrap();
    let options = Options { redis_url: redis.url.clone(), payments: promptpay_payments(), ..usual };
    let mut site = Site::start_with(options).await;
    let other_options = Options { redis_url: redis.url.clone(), ..Options::default() };
    let other_api = site.start_another_api(&other_options).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let (boss, mira) = (site.player_with_role("boss", Admin).await, site.player("mira").await);
    let elsewhere = other_api.with_token(mira.token());
    elsewhere.get("/accounts/me").await.ok();
    let stream = event_stream(&mira, &elsewhere).await;

    redis.freeze();
    suspend(&boss, mira.account_id, Value::Null).await.result();
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    elsewhere.get("/accounts/me").await.problem(401, "unauthorized");
    wait_for_end(stream).await;
    redis.restore();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_found_by_what_is_known_about_it() {
    let site = Site::start().await;
    let (boss, mira) = (site.player_with_role("boss", Admin).await, site.player("mira_1").await);
    site.player("miraxa").await;
    let character = json!({ "name": "Mira Stormborn", "vocation": "Knight" });
    let created = mira.post("/accounts/create-character", character).await;
    let operation = created.body["operation_id"].as_str().unwrap().to_owned();
    let found = async |query: &str| {
        let found = boss.get(&format!("/admin/accounts?{query}")).await.ok();
        let names = found["accounts"].as_array().unwrap().iter().map(|account| account["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(found("name=MIRA_").await, ["mira_1"]);
    assert_eq!(found("name=mira").await, ["mira_1", "miraxa"]);
    assert_eq!(found("email=Mira_1@example.org").await, ["mira_1"]);
    assert_eq!(found("character=mira%20stormborn").await, ["mira_1"]);
    assert_eq!(found(&format!("operation_id={operation}")).await, ["mira_1"]);
    assert_eq!(found("character=mira%20stormborn&name=miraxa").await, Vec::<Value>::new());

    let note = json!({ "account_id": mira.account_id, "text": "Asked twice\nabout a lost item." });
    boss.post("/admin/accounts/add-note", note).await.result();
    let details = boss.get(&format!("/admin/accounts/{}", mira.account_id)).await.ok();
    assert_eq!(details["notes"][0]["text"], "Asked twice\nabout a lost item.");
    assert_eq!(details["characters"][0]["name"], "Mira Stormborn");
    assert_eq!(details["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(details["suspended"], false);
    boss.get("/admin/accounts/999").await.problem(404, "account_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_password_must_be_reset_by_mail() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let (boss, mira) = (site.player_with_role("boss", Admin).await, site.player("mira").await);
    mailbox.wait_for("mira@example.org", 1).await;
    let expire = action(mira.account_id);
    boss.post("/admin/accounts/expire-password", expire.clone()).await.problem(409, "email_not_verified");
    boss.post("/admin/accounts/verify-email", expire.clone()).await.result();
    boss.post("/admin/accounts/verify-email", expire.clone()).await.problem(409, "email_already_verified");
    boss.post("/admin/accounts/expire-password", expire).await.result();
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    site.log_in("mira").await.problem(403, "password_expired");
    let token = mailbox.wait_for("mira@example.org", 2).await.token().to_owned();
    let reset = json!({ "token": token, "password": "velvet compass orchard" });
    site.visitor().post("/accounts/reset-password", reset).await.result();
    let log_in = json!({ "login": "mira", "password": "velvet compass orchard" });
    site.visitor().post("/auth", log_in).await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_are_granted_and_revoked() {
    let site = Site::start().await;
    let (boss, mira) = (site.player_with_role("boss", Admin).await, site.player("mira").await);
    let change = async |path: &str, account_id: i64, role: &str| {
        boss.post(&format!("/admin/accounts/{path}"), json!({ "account_id": account_id, "role": role })).await
    };
    mira.get("/news/listDashboard/1/10").await.problem(403, "role_missing");
    assert_eq!(change("grant-role", mira.account_id, "editor").await.result()["effective"], true);
    mira.get("/news/listDashboard/1/10").await.ok();
    change("grant-role", mira.account_id, "editor").await.problem(409, "role_unchanged");
    change("revoke-role", mira.account_id, "editor").await.result();
    mira.get("/news/listDashboard/1/10").await.problem(403, "role_missing");
    change("revoke-role", boss.account_id, "admin").await.problem(409, "last_admin");
    change("grant-role", mira.account_id, "admin").await.result();
    change("revoke-role", boss.account_id, "admin").await.result();
    boss.get("/admin/audit").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_administrator_needs_two_if_the_site_says_so() {
    let site = Site::start_with(Options { second_admin_required: true, ..Options::default() }).await;
    let boss = site.player_with_role("boss", Admin).await;
    let second = site.player_with_role("second", StaffRole::Admin).await;
    let mira = site.player("mira").await;
    let grant = async |admin: &Client| {
        let body = json!({ "account_id": mira.account_id, "role": "admin" });
        admin.post("/admin/accounts/grant-role", body).await.result()["effective"].clone()
    };
    assert_eq!(grant(&boss).await, false);
    assert_eq!(grant(&boss).await, false);
    site.wait_until_ahead("select expires_at from admin_proposals", "1 day").await;
    mira.get("/admin/audit").await.problem(403, "role_missing");
    assert_eq!(grant(&second).await, true);
    mira.get("/admin/audit").await.ok();
    let revoke = async |admin: &Client, account_id: i64| {
        let body = json!({ "account_id": account_id, "role": "admin" });
        admin.post("/admin/accounts/revoke-role", body).await
    };
    revoke(&boss, mira.account_id).await.result();
    // A proposal ends with the role of its author: of an account that an administrator or an operator has revoked.
    assert_eq!(grant(&boss).await, false);
    revoke(&second, boss.account_id).await.result();
    assert_eq!(grant(&second).await, false);
    site.set_role("boss", Admin, true).await;
    site.set_role("second", Admin, false).await;
    assert_eq!(grant(&boss).await, false);
    assert_eq!(site.count("select count(*) from admin_proposals").await, 1);
    // A suspended administrator cannot log in, and is no second one.
    site.set_role("second", Admin, true).await;
    site.execute(
        "update accounts set suspended_until = 'infinity', suspension_reason = 'A test.' where name = 'second'",
    )
    .await;
    revoke(&boss, boss.account_id).await.problem(409, "last_admin");
    site.execute(
        "update admin_proposals set proposed_by = (select account_id from accounts where name = 'second')",
    )
    .await;
    assert_eq!(grant(&boss).await, false);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_out_and_a_deletion_end_the_event_streams_of_the_session() {
    let site = Site::start_with(Options { payments: promptpay_payments(), ..Options::default() }).await;
    site.execute("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)").await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let (stream, stream_of_deleted) = (event_stream(&mira, &mira).await, event_stream(&tom, &tom).await);
    mira.delete("/auth").await.result();
    ask_for_deletion(&tom).await.result();
    delete_now(&site, tom.account_id).await;
    wait_for_end(stream).await;
    wait_for_end(stream_of_deleted).await;
    site.finish().await;
}

/// The event stream of a new payment, after its first event.
async fn event_stream(player: &Client, reader: &Client) -> ResponseStream {
    let payment = player.post("/payments/instant/qrcode", json!({ "coins": 10 })).await.result();
    let path = format!("/payments/{}/events", payment["payment_id"].as_str().unwrap());
    let mut stream = reader.request(http::Method::GET, &path).open().await.unwrap();
    assert!(stream.chunk().await.unwrap().is_some());
    stream
}

async fn wait_for_end(mut stream: ResponseStream) {
    with_hang_limit("an event stream", async { while let Ok(Some(_)) = stream.chunk().await {} }).await;
}
