use serde_json::json;

use crate::support::{Caller, GivenRole, Options, Site, admin};

#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_opened_once() {
    let site = Site::start().await;
    let register = |name: &str, email: &str| {
        let account = json!({ "name": name, "email": email, "password": "correct horse" });
        let nobody = site.nobody();
        async move { nobody.post("/accounts/register", account).await }
    };
    let opened = register("mira", "mira@example.org").await;
    assert_eq!(opened.status, 201);
    assert_eq!(opened.result()["name"], "mira");
    register("MIRA", "other@example.org").await.problem(409, "account_name_taken");
    register("other", "Mira@Example.org").await.problem(409, "email_taken");
    register("MIRA", "mira@example.org").await.problem(409, "account_name_taken");
    let hash: String =
        sqlx::query_scalar("select password_hash from accounts").fetch_one(&site.database).await.unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    let kept: i64 =
        sqlx::query_scalar("select count(*) from operations where outcome::text like '%correct horse%'")
            .fetch_one(&site.database)
            .await
            .unwrap();
    assert_eq!(kept, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_registration_is_pointed_at() {
    let site = Site::start().await;
    let register = |name: &str, email: &str, password: &str| {
        let account = json!({ "name": name, "email": email, "password": password });
        let nobody = site.nobody();
        async move { nobody.post("/accounts/register", account).await }
    };
    register("1mira", "mira@example.org", "correct horse").await.invalid("/name");
    register("mi", "mira@example.org", "correct horse").await.invalid("/name");
    register("mira", "mira@", "correct horse").await.invalid("/email");
    register("mira", "mira@example", "correct horse").await.invalid("/email");
    register("mira", "mira@example.org", "short").await.invalid("/password");
    register("mira", "mira@example.org", &"x".repeat(129)).await.invalid("/password");
    let accounts: i64 =
        sqlx::query_scalar("select count(*) from accounts").fetch_one(&site.database).await.unwrap();
    assert_eq!(accounts, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_in_needs_the_password() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let log_in = |login: &str, password: &str| {
        let credentials = json!({ "login": login, "password": password });
        let nobody = site.nobody();
        async move { nobody.post("/auth", credentials).await }
    };
    let by_email = log_in("MIRA@example.org", "correct horse").await;
    assert_eq!(by_email.header("cache-control"), "no-store");
    assert_eq!(by_email.ok()["account_id"], mira.account_id);
    log_in("mira", "wrong horse").await.problem(401, "wrong_credentials");
    log_in("nobody", "correct horse").await.problem(401, "wrong_credentials");
    site.nobody().post("/auth", json!({ "login": "mira" })).await.invalid("/password");

    let me = mira.get("/accounts/me").await.ok();
    assert_eq!(
        (&me["name"], &me["email"], &me["roles"]),
        (&json!("mira"), &json!("mira@example.org"), &json!(["player"]))
    );
    site.nobody().get("/accounts/me").await.problem(401, "unauthorized");
    site.game().get("/accounts/me").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_passwords_is_limited_per_account() {
    let site = Site::with(Options { log_ins_per_minute: 3, ..Options::default() }).await;
    let wrong = |login: &str| {
        let credentials = json!({ "login": login, "password": "wrong horse" });
        let nobody = site.nobody();
        async move { nobody.post("/auth", credentials).await }
    };
    for _ in 0..3 {
        wrong("mira").await.problem(401, "wrong_credentials");
    }
    let limited = wrong("MIRA").await;
    assert!(limited.header("retry-after").parse::<u32>().unwrap() > 0);
    limited.problem(429, "too_many_requests");
    wrong("tom").await.problem(401, "wrong_credentials");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guessing_passwords_is_limited_per_address() {
    let site = Site::with(Options { log_ins_per_minute: 1, ..Options::default() }).await;
    for guess in 0..5 {
        let credentials = json!({ "login": format!("player{guess}"), "password": "wrong horse" });
        site.nobody().post("/auth", credentials).await.problem(401, "wrong_credentials");
    }
    let credentials = json!({ "login": "another", "password": "wrong horse" });
    site.nobody().post("/auth", credentials).await.problem(429, "too_many_requests");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_is_good_once() {
    let site = Site::start().await;
    site.player("mira").await;
    let refresh = |token: &serde_json::Value| {
        let token = json!({ "refresh_token": token });
        let nobody = site.nobody();
        async move { nobody.post("/auth/refresh", token).await }
    };
    let first = site.log_in("mira").await.ok();
    let second = refresh(&first["refresh_token"]).await.ok();
    let caller = |tokens: &serde_json::Value| Caller {
        token: Some(tokens["access_token"].as_str().unwrap().to_owned()),
        ..site.nobody()
    };
    caller(&second).get("/accounts/me").await.ok();
    let third = refresh(&second["refresh_token"]).await.ok();

    // A thief and the owner hold the same token: neither goes on.
    refresh(&second["refresh_token"]).await.problem(401, "refresh_token_reused");
    refresh(&third["refresh_token"]).await.problem(401, "unauthorized");
    caller(&third).get("/accounts/me").await.problem(401, "unauthorized");

    refresh(&json!("A".repeat(43))).await.problem(401, "unauthorized");
    refresh(&json!("short")).await.invalid("/refresh_token");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logging_out_ends_the_session_at_once() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let other = site.log_in("mira").await.ok();
    mira.get("/accounts/me").await.ok();
    mira.delete("/auth").await.result();
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    mira.delete("/auth").await.problem(401, "unauthorized");
    let other = Caller { token: Some(other["access_token"].as_str().unwrap().to_owned()), ..site.nobody() };
    other.get("/accounts/me").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn forged_tokens_open_nothing() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let token = mira.token.clone().unwrap();
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
        let forger = Caller { token: Some(forged), ..site.nobody() };
        forger.get("/accounts/me").await.problem(401, "unauthorized");
        // Where a visitor would be let in, a bad token is told as well.
        forger.get("/shop/category/list").await.problem(401, "unauthorized");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_in_force_at_once() {
    let site = Site::start().await;
    let mira = site.with_role("mira", GivenRole::Editor).await;
    assert_eq!(mira.get("/accounts/me").await.ok()["roles"], json!(["player", "editor"]));
    mira.get("/news/listDashboard/1/10").await.ok();
    admin::set_role(&site.workers, &"mira".parse().unwrap(), GivenRole::Editor, false).await.unwrap();
    mira.get("/news/listDashboard/1/10").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_service_token_is_good_for_nothing() {
    let site = Site::start().await;
    site.game().put("/game/characters", json!({ "characters": [] })).await.result();
    admin::revoke_service_token(&site.workers, "test").await.unwrap();
    site.game().put("/game/characters", json!({ "characters": [] })).await.problem(401, "unauthorized");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_are_created_and_listed() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let create = |caller: &Caller, name: &str| {
        let (caller, character) = (caller.clone(), json!({ "name": name, "vocation": "Druid" }));
        async move { caller.post("/accounts/create-character", character).await }
    };
    let created = create(&mira, "Mira Two").await;
    assert_eq!(created.status, 201);
    assert_eq!(created.result()["level"], 1);
    create(&mira, "Mira One").await.result();
    create(&tom, "mira one").await.problem(409, "character_name_taken");
    create(&site.nobody(), "Some One").await.problem(401, "unauthorized");
    for wrong in ["Mi", "Mira1", "Mira--Two", "-Mira", "Mîra", &"a".repeat(30)] {
        create(&mira, wrong).await.invalid("/name");
    }
    let list = mira.get("/accounts/characters?limit=1&page=2").await.ok();
    assert_eq!((&list["items"][0]["name"], &list["total"]), (&json!("Mira Two"), &json!(2)));
    assert_eq!(tom.get("/accounts/characters").await.ok()["total"], 0);
    site.nobody().get("/accounts/characters").await.problem(401, "unauthorized");
    for number in 0..18 {
        create(&mira, &format!("Spare {}", "abcdefghijklmnopqr".get(number..=number).unwrap().repeat(3)))
            .await
            .result();
    }
    create(&mira, "One Too Many").await.problem(409, "too_many_characters");
    site.finish().await;
}
