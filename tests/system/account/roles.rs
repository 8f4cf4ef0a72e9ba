//! Roles and service tokens take effect with the next request.

use serde_json::json;

use crate::support::{client::Client, community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_role_applies_to_the_next_request() {
    let site = Site::start().await;
    let mira = site.player_with_role("mira", StaffRole::Editor).await;
    assert_eq!(mira.get("/accounts/me").await.ok()["roles"], json!(["player", "editor"]));
    mira.get("/news/listDashboard/1/10").await.ok();
    site.set_role("mira", StaffRole::Editor, false).await;
    mira.get("/news/listDashboard/1/10").await.problem(403, "role_missing");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_is_granted_and_revoked_once() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let mira = site.player("mira").await;
    let editor = json!({ "account_id": mira.account_id, "role": "editor" });
    for path in ["/admin/accounts/grant-role", "/admin/accounts/revoke-role"] {
        boss.post(path, editor.clone()).await.result();
        boss.post(path, editor.clone()).await.problem(409, "role_unchanged");
    }
    site.finish().await;
}

/// The commands are in different partitions, so that they may be in different transactions.
#[tokio::test(flavor = "multi_thread")]
async fn two_administrators_cannot_revoke_each_other() {
    let site = Site::start().await;
    let mira = site.player_with_role("mira", StaffRole::Admin).await;
    let tom = site.player_with_role("tom", StaffRole::Admin).await;
    let revoke = |of: &Client| json!({ "account_id": of.account_id, "role": "admin" });
    for round in 0..10 {
        let revoked = tokio::join!(
            mira.post("/admin/accounts/revoke-role", revoke(&tom)),
            tom.post("/admin/accounts/revoke-role", revoke(&mira)),
        );
        let admins = site.count("select count(*) from accounts where 'admin' = any(roles)").await;
        assert_eq!(admins, 1, "round {round}: {revoked:?}");
        let without =
            if site.count("select count(*) from accounts where name = 'mira' and roles <> '{}'").await == 1 {
                "tom"
            } else {
                "mira"
            };
        site.set_role(without, StaffRole::Admin, true).await;
    }
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
