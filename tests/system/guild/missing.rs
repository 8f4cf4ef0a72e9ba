//! Commands about guilds and characters that do not exist.

use serde_json::json;

use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_to_a_missing_guild() {
    let site = Site::start().await;
    let mira = site.player_with_role("mira", StaffRole::Editor).await;
    site.character(&mira, "Mira").await;
    for (path, fields) in [
        ("accept-invite", json!({ "character_name": "Mira" })),
        ("cancel-invite", json!({ "character_name": "Mira" })),
        ("change-description", json!({ "description": "Ours." })),
        ("change-motd", json!({ "motd": "At eight." })),
        ("change-rank", json!({ "character_name": "Mira", "rank": "member" })),
        ("decline-invite", json!({ "character_name": "Mira" })),
        ("delete", json!({})),
        ("invite", json!({ "character_name": "Mira" })),
        ("kick", json!({ "character_name": "Mira" })),
        ("leave", json!({ "character_name": "Mira" })),
        ("moderate-logo", json!({ "reason": "Rude.", "block": false })),
        ("pass-leadership", json!({ "character_name": "Mira" })),
        ("remove-logo", json!({})),
        ("set-nick", json!({ "character_name": "Mira", "nick": "The Wall" })),
    ] {
        let mut body = fields;
        body["guild_id"] = json!(999);
        let response = mira.post(&format!("/guild/{path}"), body).await;
        assert_eq!(response.body["code"], "guild_not_found", "{path}");
        response.problem(404, "guild_not_found");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_to_a_missing_character() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    for (path, fields) in [
        ("accept-invite", json!({})),
        ("cancel-invite", json!({})),
        ("change-rank", json!({ "rank": "member" })),
        ("decline-invite", json!({})),
        ("invite", json!({})),
        ("kick", json!({})),
        ("leave", json!({})),
        ("pass-leadership", json!({})),
        ("set-nick", json!({ "nick": "The Wall" })),
    ] {
        let mut body = fields;
        body["guild_id"] = json!(guild_id);
        body["character_name"] = json!("Nobody");
        let response = mira.post(&format!("/guild/{path}"), body).await;
        assert_eq!(response.body["code"], "character_not_found", "{path}");
        response.problem(404, "character_not_found");
    }
    site.finish().await;
}
