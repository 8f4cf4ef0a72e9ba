//! Players rename their characters.

use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    community::{StaffRole, character_in_guild},
    options::Options,
    payment::coin_balance,
    site::Site,
};

async fn rename(player: &Client, name: &str, new_name: &str) -> Response {
    let body = json!({ "character_name": name, "new_name": new_name });
    player.post("/accounts/characters/rename", body).await
}

async fn names(player: &Client) -> Vec<Value> {
    let list = player.get("/accounts/characters").await.ok();
    list["items"].as_array().unwrap().iter().map(|character| character["name"].clone()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_character_keeps_its_guild_and_each_view_shows_the_new_name() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let id = site.claimed_character(&tom, "Tom Ashwood").await;
    let membership = character_in_guild(guild_id, "Tom Ashwood");
    mira.post("/guild/invite", membership.clone()).await.result();
    tom.post("/guild/accept-invite", membership.clone()).await.result();
    mira.post("/guild/pass-leadership", membership).await.result();
    let leader = async || site.visitor().get("/guilds/1/10").await.ok()["items"][0]["leader_name"].clone();
    assert_eq!(site.guild_members("Night%20Watch").await, ["Tom Ashwood leader", "Mira vice_leader"]);
    assert_eq!(leader().await, "Tom Ashwood");

    let renamed = rename(&tom, "tom ashwood", "Tom Birch").await.result();
    let expected =
        json!({ "character_id": id, "former_name": "Tom Ashwood", "name": "Tom Birch", "coins": 0 });
    assert_eq!(renamed, expected);
    assert_eq!(site.guild_members("Night%20Watch").await, ["Tom Birch leader", "Mira vice_leader"]);
    assert_eq!(leader().await, "Tom Birch");
    assert_eq!(names(&tom).await, ["Tom Birch"]);
    // The old name is free, and the same name in another case is a new one.
    site.claimed_character(&mira, "Tom Ashwood").await;
    rename(&tom, "Tom Birch", "tom birch").await.result();

    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let audit = admin.get("/admin/audit").await.ok();
    let entry = audit["items"].as_array().unwrap().iter().find(|entry| entry["action"] == "character.rename");
    let entry = entry.unwrap();
    assert_eq!(
        (&entry["account_id"], &entry["details"]["character_id"]),
        (&json!(tom.account_id), &json!(id))
    );
    let change = json!([{ "field": "name", "before": "Tom Birch", "after": "tom birch" }]);
    assert_eq!(entry["changes"], change);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_follows_the_rules_of_a_new_character() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.claimed_character(&mira, "Mira").await;
    site.claimed_character(&tom, "Tom").await;
    rename(&mira, "Mira", "tom").await.problem(409, "character_name_taken");
    rename(&mira, "Mira", "Steve_123").await.problem(409, "character_name_not_allowed");
    rename(&mira, "Mira", "Mira").await.problem(409, "character_name_unchanged");
    rename(&mira, "Mira", "Mira!").await.invalid("/new_name");
    rename(&mira, "Nobody", "Someone").await.problem(404, "character_not_found");
    rename(&tom, "Mira", "Tomira").await.problem(403, "not_your_character");
    rename(&site.visitor(), "Mira", "Tomira").await.problem(401, "unauthorized");
    let without_character = json!({ "new_name": "Tomira" });
    mira.post("/accounts/characters/rename", without_character).await.invalid("/character_id");

    // From now on the game owns the character.
    site.report_presence("Mira", 20, false).await;
    rename(&mira, "Mira", "Mirabel").await.problem(409, "character_belongs_to_game");
    assert_eq!(names(&mira).await, ["Mira"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_the_game_has_taken_can_be_replaced() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let id = site.claimed_character(&mira, "Tom").await;
    let of_tom = json!({ "name": "Tom", "level": 60, "vocation": "Knight", "online": false, "account_id": tom.account_id });
    site.game_server().put("/game/characters", json!({ "characters": [of_tom] })).await.result();
    assert_eq!(names(&mira).await, [json!(format!("Renamed {id}"))]);
    let body = json!({ "character_id": id, "new_name": "Mira" });
    mira.post("/accounts/characters/rename", body).await.result();
    let character = mira.get("/accounts/characters").await.ok()["items"][0].clone();
    assert_eq!((&character["name"], character.get("former_name")), (&json!("Mira"), None));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_name_costs_coins_once() {
    let site = Site::start_with(Options { rename_cost: 50, ..Options::default() }).await;
    let mira = site.player("mira").await;
    site.claimed_character(&mira, "Mira").await;
    rename(&mira, "Mira", "Mirabel").await.problem(409, "not_enough_coins");
    assert_eq!(names(&mira).await, ["Mira"]);
    site.give_coins(&mira, 120).await;
    let body = json!({ "character_name": "Mira", "new_name": "Mirabel" });
    let pay = async || mira.post_with_key("/accounts/characters/rename", &body, "once").await.result();
    assert_eq!(pay().await["coins"], 50);
    assert_eq!(pay().await["name"], "Mirabel");
    assert_eq!(coin_balance(&mira).await, 70);
    // A refused name costs nothing.
    rename(&mira, "Mirabel", "Mirabel").await.problem(409, "character_name_unchanged");
    rename(&mira, "Mirabel", "Mira").await.result();
    rename(&mira, "Mira", "Mirabel").await.problem(409, "not_enough_coins");
    assert_eq!(coin_balance(&mira).await, 20);
    let spent = "select sum(coins)::bigint from coin_entries join coin_transfers using (transfer_id)
                 where book = 'spent' and kind = 'rename'";
    assert_eq!(site.count(spent).await, 100);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// Otherwise a player could create a character with the name of another one, wait for a gift, and rename it to his own.
#[tokio::test(flavor = "multi_thread")]
async fn a_character_keeps_its_name_until_all_purchases_are_delivered() {
    let site = Site::start().await;
    let (tom, buyer) = (site.player("tom").await, site.player("buyer").await);
    site.claimed_character(&tom, "Tom Ashwood").await;
    site.give_coins(&buyer, 10).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 1 })).await;
    let gift = json!({ "character_name": "Tom Ashwood", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    buyer.post("/shop/purchase", gift).await.result();
    rename(&tom, "Tom Ashwood", "Tom Birch").await.problem(409, "deliveries_pending");
    // A parked delivery can be sent again.
    site.execute("update deliveries set parked_at = now()").await;
    rename(&tom, "Tom Ashwood", "Tom Birch").await.problem(409, "deliveries_pending");
    site.execute("update deliveries set parked_at = null").await;
    let delivery = site.game_server().get("/game/deliveries").await.ok()["items"][0]["delivery_id"].clone();
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": [delivery] })).await.result();
    rename(&tom, "Tom Ashwood", "Tom Birch").await.result();
    site.finish().await;
}
