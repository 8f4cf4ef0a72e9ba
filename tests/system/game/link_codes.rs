//! Link codes: a player types a code of the site in the game, and the game server learns the account.

use serde_json::{Value, json};

use crate::support::site::Site;

fn typed(code: &str) -> Value {
    json!({ "code": code })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_code_names_its_account_once() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let created = mira.post("/accounts/link-code", Value::Null).await.ok();
    let code = created["code"].as_str().unwrap();
    tom.post("/game/use-link-code", typed(code)).await.problem(403, "role_missing");
    site.game_server()
        .post("/game/use-link-code", typed("0000-0000"))
        .await
        .problem(404, "link_code_not_found");

    // Players do not type it exactly.
    let as_typed = code.to_lowercase().replace('-', " ");
    let used = site.game_server().post("/game/use-link-code", typed(&as_typed)).await.result();
    assert_eq!(used, json!({ "account_id": mira.account_id, "account_name": "mira" }));
    site.game_server().post("/game/use-link-code", typed(code)).await.problem(404, "link_code_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_newest_link_code_is_valid_for_a_short_time() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let create = async || mira.post("/accounts/link-code", Value::Null).await.ok()["code"].clone();
    let (former, newest) = (create().await, create().await);
    let use_code =
        async |code: &Value| site.game_server().post("/game/use-link-code", json!({ "code": code })).await;
    use_code(&former).await.problem(404, "link_code_not_found");
    site.wait_until_ahead("select expires_at from link_codes", "15 minutes").await;
    site.execute("update link_codes set expires_at = now()").await;
    use_code(&newest).await.problem(404, "link_code_not_found");
    let valid = create().await;
    assert_eq!(use_code(&valid).await.result()["account_name"], "mira");
    site.finish().await;
}
