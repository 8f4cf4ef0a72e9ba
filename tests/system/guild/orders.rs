//! The search and the orders of the list of guilds.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{community::character_in_guild, site::Site};

fn names(list: &Value) -> Vec<&str> {
    list["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

/// The guilds whose kept number of members is wrong.
const WRONG_NUMBERS: &str = "select count(*) from guilds where kept_members <>
    (select count(*) from guild_members where guild_members.guild_id = guilds.guild_id)";

#[tokio::test(flavor = "multi_thread")]
async fn guilds_are_found_by_the_beginning_of_their_names() {
    let site = Site::start().await;
    for (leader, guild) in [("Cara", "Night Watch"), ("Abel", "nightfall"), ("Bert", "Day Watch")] {
        site.guild(leader, guild).await;
    }
    let search = async |query: &str| site.visitor().get(&format!("/guilds/1/10?{query}")).await;
    assert_eq!(names(&search("search=NIGHT").await.ok()), ["Night Watch", "nightfall"]);
    assert_eq!(names(&search("search=night%20").await.ok()), ["Night Watch", "nightfall"]);
    assert_eq!(names(&search("search=night%20w&sort=name").await.ok()), ["Night Watch"]);
    let none = search("search=watch").await.ok();
    assert_eq!((names(&none), &none["total"]), (vec![], &json!(0)));
    let first = site.visitor().get("/guilds/1/1?search=night").await;
    assert!(
        first.header("link").contains("</guilds/2/1?search=night>; rel=\"next\""),
        "{}",
        first.header("link")
    );
    let after = format!("/guilds/1/1?search=night&after={}", first.ok()["next"].as_str().unwrap());
    assert_eq!(names(&site.visitor().get(&after).await.ok()), ["nightfall"]);
    search("search=%25").await.invalid("search");
    search("search=").await.invalid("search");
    search("sort=level").await.invalid("sort");
    search("search=night&sort=members").await.invalid("sort");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn guilds_are_sorted_by_age_and_by_members() {
    let site = Site::start().await;
    let (abel, alpha) = site.guild("Abel", "Alpha").await;
    let (bert, bravo) = site.guild("Bert", "Bravo").await;
    site.guild("Cara", "Charlie").await;
    let list = async |query: &str| site.visitor().get(&format!("/guilds/1/10{query}")).await.ok();
    assert_eq!(names(&list("?sort=newest").await), ["Charlie", "Bravo", "Alpha"]);
    assert_eq!(names(&list("?sort=members").await), ["Alpha", "Bravo", "Charlie"]);
    assert_eq!(list("?sort=name").await, list("").await);

    // Each change of a membership moves the guild in the cached pages, too.
    let tom = site.member(&bert, bravo, "Tom").await;
    let by_members = list("?sort=members").await;
    assert_eq!(names(&by_members), ["Bravo", "Alpha", "Charlie"]);
    assert_eq!(by_members["items"][0]["members"], 2);
    site.member(&abel, alpha, "Una").await;
    site.member(&abel, alpha, "Vic").await;
    assert_eq!(names(&list("?sort=members").await), ["Alpha", "Bravo", "Charlie"]);
    tom.post("/guild/leave", character_in_guild(bravo, "Tom")).await.result();
    abel.post("/guild/kick", character_in_guild(alpha, "Una")).await.result();
    let by_members = list("?sort=members").await;
    let numbers: Vec<_> =
        by_members["items"].as_array().unwrap().iter().map(|guild| &guild["members"]).collect();
    assert_eq!(
        (names(&by_members), numbers),
        (vec!["Alpha", "Bravo", "Charlie"], vec![&json!(2), &json!(1), &json!(1)])
    );
    abel.post("/guild/delete", json!({ "guild_id": alpha })).await.result();
    assert_eq!(names(&list("?sort=members").await), ["Bravo", "Charlie"]);
    assert_eq!(names(&list("?sort=newest").await), ["Charlie", "Bravo"]);
    assert_eq!(site.count(WRONG_NUMBERS).await, 0);

    // A cursor belongs to one order.
    let next = site.visitor().get("/guilds/1/1?sort=members").await.ok()["next"].clone();
    let next = next.as_str().unwrap();
    site.visitor().get(&format!("/guilds/1/1?after={next}")).await.invalid("after");
    let second = site.visitor().get(&format!("/guilds/1/1?sort=members&after={next}")).await.ok();
    assert_eq!(names(&second), ["Charlie"]);
    site.finish().await;
}

/// Memberships of the same guilds change at the same time, also by the deletion of a guild.
#[tokio::test(flavor = "multi_thread")]
async fn numbers_of_members_are_right_after_concurrent_changes() {
    let site = Site::start().await;
    let (first, second) = (site.guild("Abel", "Alpha").await, site.guild("Bert", "Bravo").await);
    let names = ["Ann", "Ben", "Cid", "Dan", "Eve", "Fay"];
    let mut players = vec![];
    for name in names {
        let player = site.player(name).await;
        site.character(&player, name).await;
        for (leader, guild_id) in [&first, &second] {
            leader.post("/guild/invite", character_in_guild(*guild_id, name)).await.result();
        }
        players.push(player);
    }
    let moves = players.iter().zip(names).enumerate().map(|(index, (player, name))| {
        let guild_id = if index % 2 == 0 { first.1 } else { second.1 };
        async move {
            let character = character_in_guild(guild_id, name);
            player.post("/guild/accept-invite", character.clone()).await.result();
            if index % 3 == 0 {
                player.post("/guild/leave", character).await.result();
            }
        }
    });
    join_all(moves).await;
    assert_eq!(site.count(WRONG_NUMBERS).await, 0);
    assert_eq!(site.count("select sum(kept_members)::bigint from guilds").await, 2 + 4);
    let delete = first.0.post("/guild/delete", json!({ "guild_id": first.1 }));
    let leave = players[1].post("/guild/leave", character_in_guild(second.1, "Ben"));
    let (deleted, left) = futures_util::future::join(delete, leave).await;
    deleted.result();
    left.result();
    assert_eq!(site.count(WRONG_NUMBERS).await, 0);
    site.finish().await;
}
