//! Roles and service tokens take effect with the next request.

use serde_json::json;

use crate::support::{community::AssignableRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_role_applies_to_the_next_request() {
    let site = Site::start().await;
    let mira = site.player_with_role("mira", AssignableRole::Editor).await;
    assert_eq!(mira.get("/accounts/me").await.ok()["roles"], json!(["player", "editor"]));
    mira.get("/news/listDashboard/1/10").await.ok();
    site.set_role("mira", AssignableRole::Editor, false).await;
    mira.get("/news/listDashboard/1/10").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revoked_service_token_is_refused() {
    let site = Site::start().await;
    site.game_server().put("/game/characters", json!({ "characters": [] })).await.result();
    site.revoke_service_token().await;
    site.game_server()
        .put("/game/characters", json!({ "characters": [] }))
        .await
        .problem(401, "unauthorized");
    site.finish().await;
}
