//! Lists of guilds, and of characters without a guild.

use serde_json::{Value, json};

use crate::support::{community::character_in_guild, site::Site};

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn guilds_are_listed_by_page_in_a_stable_order() {
    let site = Site::start().await;
    for (leader, guild) in [("Cara", "Charlie"), ("Abel", "alpha"), ("Bert", "Bravo")] {
        site.guild(leader, guild).await;
    }
    let first = site.visitor().get("/guilds/1/2").await;
    assert_eq!(
        first.header("link"),
        r#"</guilds/1/2>; rel="first", </guilds/2/2>; rel="next", </guilds/2/2>; rel="last""#
    );
    let first = first.ok();
    assert_eq!(names(&first), ["alpha", "Bravo"]);
    assert_eq!(
        (&first["page"], &first["limit"], &first["total"], &first["pages"]),
        (&json!(1), &json!(2), &json!(3), &json!(2))
    );
    // Page and limit differ, so that exchanging them changes the result.
    assert_eq!(names(&site.visitor().get("/guilds/2/2").await.ok()), ["Charlie"]);
    assert_eq!(names(&site.visitor().get("/guilds/2/1").await.ok()), ["Bravo"]);
    assert_eq!(names(&site.visitor().get("/guilds/9/2").await.ok()), [""; 0]);
    for (path, wrong) in [
        ("/guilds/0/2", "page"),
        ("/guilds/1/0", "limit"),
        ("/guilds/1/101", "limit"),
        ("/guilds/x/2", "page"),
    ] {
        site.visitor().get(path).await.invalid(wrong);
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_without_a_guild_are_listed_by_page_and_searched_by_prefix() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    for name in ["Zed", "Zara Two", "Zara One", "Yan"] {
        site.character(&player, name).await;
    }
    let all = site.visitor().get("/guild/players-without-guild").await.ok();
    assert_eq!(names(&all), ["Yan", "Zara One", "Zara Two", "Zed"]);
    let found = site.visitor().get("/guild/players-without-guild?search=zARA&page=2&limit=1").await;
    assert!(
        found
            .header("link")
            .contains("</guild/players-without-guild?page=1&limit=1&search=zara>; rel=\"prev\"")
    );
    assert_eq!(names(&found.ok()), ["Zara Two"]);
    site.visitor().get("/guild/players-without-guild?limit=101").await.invalid("limit");
    site.visitor().get("/guild/players-without-guild?search=%25").await.invalid("search");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn characters_without_a_guild_follow_memberships_and_reports() {
    let site = Site::start().await;
    let (leader, guild_id) = site.guild("Cara", "Night Watch").await;
    let tom = site.member(&leader, guild_id, "Tom").await;
    site.member(&leader, guild_id, "Una").await;
    let path = "/guild/players-without-guild";
    assert_eq!(names(&site.visitor().get(path).await.ok()), [""; 0]);
    tom.post("/guild/leave", character_in_guild(guild_id, "Tom")).await.result();
    leader.post("/guild/kick", character_in_guild(guild_id, "Una")).await.result();
    assert_eq!(names(&site.visitor().get(path).await.ok()), ["Tom", "Una"]);
    site.report_presence("Tom", 30, true).await;
    let tom = &site.visitor().get(path).await.ok()["items"][0];
    assert_eq!((&tom["level"], &tom["online"]), (&json!(30), &json!(true)));
    leader.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    assert_eq!(names(&site.visitor().get(path).await.ok()), ["Cara", "Tom", "Una"]);
    site.finish().await;
}
