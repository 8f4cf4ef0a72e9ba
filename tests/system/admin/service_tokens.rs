//! The tokens of game servers that an administrator creates and revokes.

use serde_json::json;

use crate::support::{community::StaffRole, site::Site};

const CREATE: &str = "/admin/service-tokens/create";
const REVOKE: &str = "/admin/service-tokens/revoke";

#[tokio::test(flavor = "multi_thread")]
async fn a_created_token_is_shown_once_and_works_until_it_is_revoked() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let created = admin.post_with_key(CREATE, &json!({ "name": "World 7" }), "once").await;
    assert_eq!(created.header("cache-control"), "no-store");
    let created = created.ok();
    let token = created["token"].as_str().unwrap();
    let report = async || {
        let game_server = site.visitor().with_token(token);
        game_server.put("/game/characters", json!({ "characters": [] })).await
    };
    report().await.result();

    let list = admin.get("/admin/service-tokens").await.ok();
    let listed = &list["items"][0];
    assert_eq!(
        (&listed["name"], &listed["service_token_id"]),
        (&json!("World 7"), &created["service_token_id"])
    );
    assert!(listed.get("revoked_at").is_none() && !list.to_string().contains(token), "{list}");
    for table in ["operations", "service_tokens", "audit_log", "audit_texts"] {
        let shown = format!("select count(*) from {table} where {table}::text like '%{}%'", &token[4..]);
        let rows: i64 =
            sqlx::query_scalar(sqlx::AssertSqlSafe(shown)).fetch_one(&site.database).await.unwrap();
        assert_eq!(rows, 0, "{table}");
    }

    // The response with the token is stored nowhere, so a repeated request cannot get it.
    let again = admin.post_with_key(CREATE, &json!({ "name": "World 7" }), "once").await;
    again.problem(409, "service_token_name_taken");
    let revoke = json!({ "service_token_id": created["service_token_id"] });
    let revoked = admin.post_with_key(REVOKE, &revoke, "twice").await;
    report().await.problem(401, "unauthorized");
    let repeated = admin.post_with_key(REVOKE, &revoke, "twice").await;
    assert_eq!(repeated.result(), revoked.result());
    admin.post(REVOKE, revoke).await.problem(409, "service_token_already_revoked");
    admin.post(REVOKE, json!({ "service_token_id": 999 })).await.problem(404, "service_token_not_found");
    admin.post(CREATE, json!({ "name": "World 7" })).await.problem(409, "service_token_name_taken");
    admin.post(CREATE, json!({ "name": "" })).await.invalid("/name");
    assert!(admin.get("/admin/service-tokens").await.ok()["items"][0]["revoked_at"].is_string());

    for action in ["service_token.create", "service_token.revoke"] {
        let entry = admin.get(&format!("/admin/audit?action={action}")).await.ok()["items"][0].clone();
        assert_eq!(entry["account_id"], admin.account_id);
        assert_eq!(entry["details"]["service_token_id"], created["service_token_id"]);
        assert_eq!(entry["changes"][0]["after"], "World 7");
    }
    site.finish().await;
}
