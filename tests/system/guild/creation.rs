//! Creating a guild.

use serde_json::json;

use crate::support::{client::Client, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn a_guild_name_and_a_character_are_used_once() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let id = site.character(&mira, "Mira Stormborn").await;
    let create = async |name: &str| {
        mira.post("/guild/create-guild", json!({ "name": name, "character_name": "MIRA stormborn" })).await
    };

    let created = create("Night Watch").await;
    assert_eq!(created.status, 201);
    assert_eq!(created.result()["leader_id"], id);
    let view = site.visitor().get("/guild/view/night%20WATCH").await.ok();
    assert_eq!((&view["name"], &view["members"][0]["rank"]), (&json!("Night Watch"), &json!("leader")));
    assert!(view.get("own_characters").is_none());

    create("Day Watch").await.problem(409, "already_in_guild");
    site.character(&mira, "Other One").await;
    let again = mira
        .post("/guild/create-guild", json!({ "name": "night watch", "character_name": "Other One" }))
        .await;
    again.problem(409, "guild_name_taken");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guild_requires_an_eligible_own_character() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.character(&mira, "Mira").await;
    let create = async |client: &Client, character: &str| {
        let guild = json!({ "name": "Night Watch", "character_name": character });
        client.post("/guild/create-guild", guild).await
    };
    create(&site.visitor(), "Mira").await.problem(401, "unauthorized");
    create(site.game_server(), "Mira").await.problem(403, "role_missing");
    create(&tom, "Mira").await.problem(403, "not_your_character");
    create(&tom, "Nobody Known").await.problem(404, "character_not_found");
    site.report_presence("Mira", 7, false).await;
    create(&mira, "Mira").await.problem(409, "level_too_low");
    site.report_presence("Mira", 8, true).await;
    create(&mira, "Mira").await.problem(409, "character_online");
    site.report_presence("Mira", 8, false).await;
    create(&mira, "Mira").await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_guild_input_names_the_field() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let create = |body| mira.post("/guild/create-guild", body);
    create(json!({ "name": "ab", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "two  spaces", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "Nïght Watch", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "a".repeat(31), "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": 7, "character_id": 1 })).await.invalid("/name");
    create(json!({ "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "Night Watch", "character_id": 0 })).await.invalid("/character_id");
    create(json!({ "name": "Night Watch", "character_id": 1, "character_name": "Mira" }))
        .await
        .invalid("/character_name");
    create(json!({ "name": "Night Watch" })).await.invalid("/character_id");
    create(json!({ "name": "Night Watch", "character_id": 1, "rank": 3 })).await.invalid("/rank");
    create(json!([])).await.invalid("");
    mira.post("/guild/change-rank", json!({ "guild_id": 1, "character_id": 1, "rank": "leader" }))
        .await
        .invalid("/rank");
    mira.post("/guild/change-motd", json!({ "guild_id": 1, "motd": "a\nb" })).await.invalid("/motd");
    mira.post("/guild/change-motd", json!({ "guild_id": 1, "motd": "x".repeat(256) })).await.invalid("/motd");
    let long = json!({ "guild_id": 1, "description": "x".repeat(2001) });
    mira.post("/guild/change-description", long).await.invalid("/description");
    mira.post("/guild/delete", json!({ "guild_id": "1" })).await.invalid("/guild_id");
    site.visitor().get("/guild/view/no%00name").await.invalid("name");
    site.visitor().get("/guild/view/Nobody").await.problem(404, "guild_not_found");
    site.finish().await;
}
