//! Characters that the game identifies by ids of its own: their names and owners change there.

use serde_json::{Value, json};

use crate::support::{client::Client, site::Site};

/// A report of a knight of level 30, with a game id and an owner.
fn knight(name: &str, id: &str, owner: &Client) -> Value {
    json!({
        "name": name, "level": 30, "vocation": "Knight", "online": true, "account_id": owner.account_id,
        "game_character_id": id,
    })
}

async fn report(site: &Site, characters: Value) -> Value {
    site.game_server().put("/game/characters", json!({ "characters": characters })).await.result()
}

/// The names of the characters of an account, in alphabetical order.
async fn names(player: &Client) -> Vec<String> {
    let characters = player.get("/accounts/characters").await.ok();
    let items = characters["items"].as_array().unwrap();
    let mut names: Vec<_> = items.iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_change_in_the_game_change_on_the_site() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    report(&site, json!([knight("Mira", "w1:1", &mira), knight("Tom Oak", "w1:2", &tom)])).await;

    // Both exchange their names, and another character gets a third one.
    let reported = report(
        &site,
        json!([
            knight("Tom Oak", "w1:1", &mira),
            knight("Mira", "w1:2", &tom),
            knight("Third", "w1:3", &tom)
        ]),
    )
    .await;
    assert_eq!(reported, json!({ "created": 1, "updated": 2, "unchanged": 0, "skipped": [] }));
    assert_eq!(names(&mira).await, ["Tom Oak"]);
    assert_eq!(names(&tom).await, ["Mira", "Third"]);
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!((&view["guild_id"], &view["members"][0]["name"]), (&json!(guild_id), &json!("Tom Oak")));
    let list = site.visitor().get("/guilds/1/10").await.ok();
    assert_eq!(list["items"][0]["leader_name"], "Tom Oak");

    // The upper and lower case of a name follow too.
    report(&site, json!([knight("THIRD", "w1:3", &tom)])).await;
    assert_eq!(names(&tom).await, ["Mira", "THIRD"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_follows_the_character_not_its_name() {
    let site = Site::start().await;
    let buyer = site.player("buyer").await;
    site.give_coins(&buyer, 1000).await;
    let thief = site.player("thief").await;
    let offer_id = site.offer(json!({ "name": "Potion", "price": 100 })).await;
    report(&site, json!([knight("Bought For", "w1:1", &buyer)])).await;
    let purchase =
        json!({ "character_name": "Bought For", "lines": [{ "offer_id": offer_id, "quantity": 1 }] });
    buyer.post("/shop/purchase", purchase).await.result();

    // The character was deleted in the game, and another player has created one with its name.
    report(&site, json!([knight("Bought For", "w1:7", &thief)])).await;
    assert_eq!(names(&thief).await, ["Bought For"]);
    let leased = site.game_server().get("/game/deliveries").await.ok();
    assert_eq!(leased["items"][0]["game_character_id"], "w1:1");
    assert!(leased["items"][0]["character_name"].as_str().unwrap().starts_with("Renamed "), "{leased}");

    // It was only renamed, as a later report shows.
    report(&site, json!([knight("Bought Again", "w1:1", &buyer)])).await;
    assert_eq!(names(&buyer).await, ["Bought Again"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sold_character_belongs_to_its_new_owner() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    report(&site, json!([knight("Mira", "w1:1", &mira)])).await;
    // Without the game id, and for an account that does not exist, the owner stays.
    let without_id = json!({ "name": "Mira", "level": 30, "vocation": "Knight", "online": true, "account_id": tom.account_id });
    let skipped = report(&site, json!([without_id])).await;
    assert_eq!(skipped["skipped"], json!([{ "name": "Mira", "reason": "other_owner" }]));
    let mut nobody = knight("Mira", "w1:1", &tom);
    nobody["account_id"] = json!(999_999);
    let skipped = report(&site, json!([nobody])).await;
    assert_eq!(skipped["skipped"], json!([{ "name": "Mira", "reason": "account_not_found" }]));
    assert_eq!(names(&mira).await, ["Mira"]);

    let reported = report(&site, json!([knight("Mira", "w1:1", &tom)])).await;
    assert_eq!(reported["skipped"], json!([]));
    assert_eq!((names(&mira).await, names(&tom).await), (vec![], vec!["Mira".to_owned()]));
    let motd = json!({ "guild_id": guild_id, "motd": "Mine now" });
    mira.post("/guild/change-motd", motd.clone()).await.problem(403, "not_leading");
    tom.post("/guild/change-motd", motd).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_the_game_has_deleted_leaves_the_site() {
    let site = Site::start().await;
    let (mira, _) = site.guild("Mira", "Night Watch").await;
    report(&site, json!([knight("Mira", "w1:1", &mira)])).await;
    let ids = json!({ "game_character_ids": ["w1:1", "w1:404"] });
    let deleted = site.game_server().post("/game/characters/delete", ids.clone()).await.result();
    assert_eq!(deleted, json!({ "deleted": ["w1:1"], "unknown": ["w1:404"] }));
    assert_eq!(names(&mira).await, Vec::<String>::new());
    site.visitor().get("/guild/view/Night%20Watch").await.problem(404, "guild_not_found");
    let again = site.game_server().post("/game/characters/delete", ids).await.result();
    assert_eq!(again["deleted"], json!([]));
    // A new character of the game with the same name is another one.
    report(&site, json!([knight("Mira", "w1:2", &mira)])).await;
    assert_eq!(names(&mira).await, ["Mira"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_world_leases_the_deliveries_of_its_characters() {
    let site = Site::start().await;
    let buyer = site.player("buyer").await;
    site.give_coins(&buyer, 1000).await;
    let offer_id = site.offer(json!({ "name": "Potion", "price": 100 })).await;
    for (name, world) in [("Of Antica", "Antica"), ("Of Nova", "Nova")] {
        let body =
            json!({ "characters": [knight(name, name.split_once(' ').unwrap().1, &buyer)], "world": world });
        site.game_server().put("/game/characters", body).await.result();
    }
    site.claimed_character(&buyer, "Unreported").await;
    for name in ["Of Antica", "Of Nova", "Unreported"] {
        let purchase = json!({ "character_name": name, "lines": [{ "offer_id": offer_id, "quantity": 1 }] });
        buyer.post("/shop/purchase", purchase).await.result();
    }
    let lease = async |path: &str| {
        let leased = site.game_server().get(path).await.ok();
        let items = leased["items"].as_array().unwrap().iter();
        items.map(|item| item["character_name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(lease("/game/deliveries?world=Nova&online=true").await, ["Of Nova"]);
    // The game has not reported the third one, so each world may know it.
    assert_eq!(lease("/game/deliveries?world=Antica").await, ["Of Antica", "Unreported"]);
    assert_eq!(lease("/game/deliveries?world=Antica").await, Vec::<String>::new());
    site.finish().await;
}
