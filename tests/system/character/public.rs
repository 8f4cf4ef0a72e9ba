//! Characters as everybody sees them: one, the highest levels, and those that are online.

use serde_json::{Value, json};

use crate::support::{client::Response, community::character_in_guild, site::Site, wait::wait_until};

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

async fn view(site: &Site, name: &str) -> Response {
    site.visitor().get(&format!("/characters/view/{name}")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn everybody_sees_a_character_and_not_its_account() {
    let site = Site::start().await;
    let (leader, guild_id) = site.guild("Mira Stormborn", "Night Watch").await;
    site.report_presence("Mira Stormborn", 60, true).await;
    let seen = view(&site, "mira%20STORMBORN").await;
    assert_eq!(seen.header("cache-control"), "public, no-cache");
    let seen = seen.ok();
    let fields: Vec<&String> = seen.as_object().unwrap().keys().collect();
    assert_eq!(fields, ["character_id", "name", "level", "vocation", "online", "guild", "created_at"]);
    assert_eq!(
        (&seen["name"], &seen["level"], &seen["vocation"], &seen["online"]),
        (&json!("Mira Stormborn"), &json!(60), &json!("Knight"), &json!(true))
    );
    let guild = &seen["guild"];
    assert_eq!(
        (&guild["guild_id"], &guild["name"], &guild["rank"]),
        (&json!(guild_id), &json!("Night Watch"), &json!("leader"))
    );
    let tom = site.member(&leader, guild_id, "Tom").await;
    assert_eq!(view(&site, "Tom").await.ok()["guild"]["rank"], "member");
    tom.post("/guild/leave", character_in_guild(guild_id, "Tom")).await.result();
    assert_eq!(view(&site, "Tom").await.ok().get("guild"), None);
    view(&site, "Nobody").await.problem(404, "character_not_found");
    view(&site, "a%25").await.invalid("name");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_highest_level_is_first() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    for (name, level, vocation) in [
        ("Abel", 8, "Knight"),
        ("Bert", 70, "Elder Druid"),
        ("Cara", 70, "Knight"),
        ("Dana", 9, "elder druid"),
    ] {
        let character = json!({
            "name": name, "level": level, "vocation": vocation, "online": false, "account_id": player.account_id
        });
        site.game_server().put("/game/characters", json!({ "characters": [character] })).await.result();
    }
    let list = async |path: &str| site.visitor().get(&format!("/characters/highscores/{path}")).await;
    let all = list("1/10").await.ok();
    assert_eq!((names(&all), &all["total"]), (vec!["Bert", "Cara", "Dana", "Abel"], &json!(4)));
    assert_eq!(all["items"][0].get("guild_name"), None);
    // Page and limit differ, so that exchanging them changes the result.
    assert_eq!(names(&list("2/1").await.ok()), ["Cara"]);
    let druids = list("1/1?vocation=Elder%20Druid").await;
    assert!(
        druids.header("link").contains("</characters/highscores/2/1?vocation=Elder%20Druid>; rel=\"next\"")
    );
    let druids = druids.ok();
    assert_eq!((names(&druids), &druids["total"]), (vec!["Bert"], &json!(2)));
    let next = format!("1/1?vocation=elder%20druid&after={}", druids["next"].as_str().unwrap());
    assert_eq!(names(&list(&next).await.ok()), ["Dana"]);
    list("1/10?vocation=%0A").await.invalid("vocation");
    list("1/101").await.invalid("limit");

    // The list has the change immediately after the report.
    site.report_presence("Abel", 71, false).await;
    assert_eq!(names(&list("1/2").await.ok()), ["Abel", "Bert"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn online_characters_are_those_of_the_last_reports() {
    let site = Site::start().await;
    site.guild("Mira", "Night Watch").await;
    let player = site.player("tom").await;
    for name in ["Tom", "Ann"] {
        site.character(&player, name).await;
    }
    let online = async || site.visitor().get("/characters/online/1/10").await.ok();
    assert_eq!(names(&online().await), [""; 0]);
    for name in ["Tom", "Mira", "Ann"] {
        site.report_presence(name, 20, true).await;
    }
    let list = online().await;
    assert_eq!((names(&list), &list["total"]), (vec!["Ann", "Mira", "Tom"], &json!(3)));
    assert_eq!(list["items"][1]["guild_name"], "Night Watch");
    assert_eq!(names(&site.visitor().get("/characters/online/3/1").await.ok()), ["Tom"]);
    site.report_presence("Ann", 20, false).await;
    assert_eq!(names(&online().await), ["Mira", "Tom"]);

    // The game server has crashed.
    site.execute("update game_servers set presence_until = now()").await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'end_presence'").await;
    wait_until("the characters are offline", async || names(&online().await).is_empty()).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_character_is_not_shown() {
    let site = Site::start().await;
    let player = site.player("mira").await;
    let character_id = site.claimed_character(&player, "Mira").await;
    player.post("/accounts/characters/delete", json!({ "character_id": character_id })).await.result();
    view(&site, "Mira").await.ok();
    site.execute("update characters set deletion_due_at = now()").await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'delete_character'").await;
    let is_gone = async || view(&site, "Mira").await.status == 404;
    wait_until("the character is deleted", is_gone).await;
    view(&site, &format!("Deleted%20{character_id}")).await.problem(404, "character_not_found");
    let list = site.visitor().get("/characters/highscores/1/10").await.ok();
    assert_eq!((names(&list), &list["total"]), (vec![], &json!(0)));
    site.finish().await;
}
