//! Characters as a game server reports them.

use serde_json::json;

use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_server_reports_its_characters() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let character = |name: &str, level: i32, online: bool| json!({ "name": name, "level": level, "vocation": "Knight", "online": online });
    let new = json!({ "name": "New One", "level": 9, "vocation": "Druid", "online": true, "account_id": mira.account_id });
    let unknown_account =
        json!({ "name": "Lost One", "level": 9, "vocation": "Druid", "online": true, "account_id": 999 });
    let reported = site
        .game_server()
        .put("/game/characters", json!({ "characters": [
            character("mira", 30, true), new, unknown_account, character("Unknown", 1, false), character("Mira", 31, true),
        ] }))
        .await
        .result();
    assert_eq!(
        reported,
        json!({ "created": 1, "updated": 1, "unchanged": 0, "skipped": [
            { "name": "Lost One", "reason": "account_not_found" }, { "name": "Unknown", "reason": "account_missing" }
        ] })
    );
    let again = site
        .game_server()
        .put("/game/characters", json!({ "characters": [character("Mira", 31, true)] }))
        .await;
    assert_eq!(again.result()["unchanged"], 1);

    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!((&view["members"][0]["level"], &view["members"][0]["online"]), (&json!(31), &json!(true)));
    let without_guild = site.visitor().get("/guild/players-without-guild").await.ok();
    assert_eq!(
        (&without_guild["items"][0]["name"], &without_guild["items"][0]["online"]),
        (&json!("New One"), &json!(true))
    );
    mira.post("/guild/invite", json!({ "guild_id": guild_id, "character_name": "New One" })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_a_game_server_reports_characters() {
    let site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let none = json!({ "characters": [] });
    site.visitor().put("/game/characters", none.clone()).await.problem(401, "unauthorized");
    admin.put("/game/characters", none.clone()).await.problem(403, "role_missing");
    site.game_server().put("/game/characters", none).await.result();
    let wrong =
        json!({ "characters": [{ "name": "Mira", "level": 0, "vocation": "Knight", "online": true }] });
    site.game_server().put("/game/characters", wrong).await.invalid("/characters/0/level");
    site.finish().await;
}
