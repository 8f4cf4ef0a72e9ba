//! Logging in, refreshing a session, logging out.

use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    site::Site,
};

async fn log_in(site: &Site, login: &str, password: &str) -> Response {
    site.visitor().post("/auth", json!({ "login": login, "password": password })).await
}

fn client_of_session(site: &Site, session: &Value) -> Client {
    site.visitor().with_token(session["access_token"].as_str().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn log_in_requires_the_password() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.execute("update accounts set email_verified_at = now()").await;
    let log_in = async |login: &str, password: &str| log_in(&site, login, password).await;
    let by_email = log_in("MIRA@example.org", "correct horse").await;
    assert_eq!(by_email.header("cache-control"), "no-store");
    assert_eq!(by_email.ok()["account_id"], mira.account_id);
    log_in("mira", "wrong horse").await.problem(401, "wrong_credentials");
    log_in("nobody", "correct horse").await.problem(401, "wrong_credentials");
    site.visitor().post("/auth", json!({ "login": "mira" })).await.invalid("/password");

    let me = mira.get("/accounts/me").await.ok();
    assert_eq!(
        (&me["name"], &me["email"], &me["roles"]),
        (&json!("mira"), &json!("mira@example.org"), &json!(["player"]))
    );
    site.visitor().get("/accounts/me").await.problem(401, "unauthorized");
    site.game_server().get("/accounts/me").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_is_valid_once() {
    let site = Site::start().await;
    site.player("mira").await;
    let refresh =
        async |token: &Value| site.visitor().post("/auth/refresh", json!({ "refresh_token": token })).await;
    let first = site.log_in("mira").await.ok();
    let second = refresh(&first["refresh_token"]).await.ok();
    client_of_session(&site, &second).get("/accounts/me").await.ok();
    let third = refresh(&second["refresh_token"]).await.ok();

    let fourth = refresh(&third["refresh_token"]).await.ok();

    // The token is used again after its successor, so one of the two holders stole it. The session ends for both.
    refresh(&second["refresh_token"]).await.problem(401, "refresh_token_reused");
    refresh(&fourth["refresh_token"]).await.problem(401, "unauthorized");
    client_of_session(&site, &third).get("/accounts/me").await.problem(401, "unauthorized");

    refresh(&json!("A".repeat(43))).await.problem(401, "unauthorized");
    refresh(&json!("short")).await.invalid("/refresh_token");
    site.finish().await;
}

/// The response of a renewal can be lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_renewal_can_be_repeated_for_a_short_time() {
    let site = Site::start().await;
    site.player("mira").await;
    let refresh =
        async |token: &Value| site.visitor().post("/auth/refresh", json!({ "refresh_token": token })).await;
    let first = site.log_in("mira").await.ok();
    let second = refresh(&first["refresh_token"]).await.ok();
    for repeated in [refresh(&first["refresh_token"]).await.ok(), refresh(&first["refresh_token"]).await.ok()]
    {
        assert_eq!(repeated["refresh_token"], second["refresh_token"]);
        client_of_session(&site, &repeated).get("/accounts/me").await.ok();
    }
    site.execute("update refresh_tokens set replaced_at = replaced_at - interval '30 seconds'").await;
    refresh(&first["refresh_token"]).await.problem(401, "refresh_token_reused");
    refresh(&second["refresh_token"]).await.problem(401, "unauthorized");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn log_out_ends_only_its_own_session() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let other = site.log_in("mira").await.ok();
    mira.get("/accounts/me").await.ok();
    mira.delete("/auth").await.result();
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    mira.delete("/auth").await.problem(401, "unauthorized");
    client_of_session(&site, &other).get("/accounts/me").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_access_tokens_are_refused() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let token = mira.token().to_owned();
    let parts: Vec<&str> = token.split('.').collect();
    let none = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0";
    let hs256 = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";
    for forged in [
        format!("{none}.{}.", parts[1]),
        format!("{none}.{}.{}", parts[1], parts[2]),
        format!("{hs256}.{}.{}", parts[1], parts[2]),
        format!("{}.{}.{}", parts[0], parts[1], "A".repeat(86)),
        format!("{}.{}.{}", parts[0], parts[1].to_lowercase(), parts[2]),
        format!("ghs_{}", "0".repeat(40)),
        "x".to_owned(),
        String::new(),
    ] {
        let forger = site.visitor().with_token(&forged);
        forger.get("/accounts/me").await.problem(401, "unauthorized");
        // This path is open to visitors without a token, but not to an invalid token.
        forger.get("/shop/category/list").await.problem(401, "unauthorized");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_in_ends_the_oldest_sessions_and_forgets_the_oldest_clients_of_an_account_with_many() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let sessions = format!(
        // Old sessions have no time of their last use.
        "insert into known_clients (account_id, client_hash, last_log_in_at)
         select {0}, sha256(hour::text::bytea), now() - make_interval(hours => hour)
         from generate_series(1, 60) as hour;
         insert into sessions (session_id, account_id, device, network, created_at, last_used_at)
         select gen_random_uuid(), {0}, 'a device', '203.0.113.7', now() - make_interval(hours => hour),
                case when hour % 2 = 0 then now() - make_interval(hours => hour) end
         from generate_series(1, 200) as hour",
        mira.account_id,
    );
    site.execute(&sessions).await;
    let session = site.log_in("mira").await.ok();
    client_of_session(&site, &session).get("/accounts/me").await.ok();
    assert_eq!(site.count("select count(*) from sessions where ended_at is null").await, 100);
    let oldest =
        "select count(*) from sessions where ended_at is null and created_at < now() - interval '100 hours'";
    assert_eq!(site.count(oldest).await, 0);
    assert_eq!(site.count("select count(*) from known_clients").await, 40);
    let oldest = "select count(*) from known_clients where last_log_in_at < now() - interval '41 hours'";
    assert_eq!(site.count(oldest).await, 0);
    mira.get("/accounts/me").await.ok();
    site.finish().await;
}
