//! The texts of a guild, and its deletion.

use serde_json::json;

use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_changes_the_texts_and_deletes_the_guild() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let motd = json!({ "guild_id": guild_id, "motd": "At eight." });
    let description = json!({ "guild_id": guild_id, "description": "Line one\nline two" });

    tom.post("/guild/change-motd", motd.clone()).await.problem(403, "not_leading");
    tom.post("/guild/change-description", description.clone()).await.problem(403, "not_leading");
    mira.post("/guild/change-motd", json!({ "guild_id": 999, "motd": "" }))
        .await
        .problem(404, "guild_not_found");
    assert_eq!(mira.post("/guild/change-motd", motd).await.result()["motd"], "At eight.");
    mira.post("/guild/change-description", description).await.result();
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!((&view["motd"], &view["description"]), (&json!("At eight."), &json!("Line one\nline two")));

    tom.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(403, "not_leader");
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    site.visitor().get("/guild/view/Night%20Watch").await.problem(404, "guild_not_found");
    mira.post("/guild/create-guild", json!({ "name": "Night Watch", "character_name": "Mira" }))
        .await
        .result();
    site.finish().await;
}
