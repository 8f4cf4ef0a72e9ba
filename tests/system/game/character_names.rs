//! Who owns the name of a character: the game decides.

use guildhall_common::platform::db;
use serde_json::{Value, json};

use super::deliveries::LEASE;
use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    support::{
        client::Client,
        community::{StaffRole, character_in_guild},
        options::Options,
        site::Site,
        wait::wait_until,
    },
};

fn reported(name: &str, account_id: Option<i64>) -> Value {
    let mut character = json!({ "name": name, "level": 60, "vocation": "Knight", "online": false });
    if let Some(account_id) = account_id {
        character["account_id"] = json!(account_id);
    }
    character
}

async fn report(site: &Site, characters: Value) -> Value {
    site.game_server().put("/game/characters", json!({ "characters": characters })).await.result()
}

async fn characters(player: &Client) -> Value {
    player.get("/accounts/characters").await.ok()["items"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_takes_a_name_from_a_player_who_claimed_it() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let (eve, adam) = (site.player("eve").await, site.player("adam").await);
    let id = site.claimed_character(&eve, "Adam Smith").await;
    let membership = character_in_guild(guild_id, "Adam Smith");
    mira.post("/guild/invite", membership.clone()).await.result();
    eve.post("/guild/accept-invite", membership).await.result();
    site.give_coins(&eve, 1000).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase = json!({ "character_name": "Adam Smith", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    eve.post("/shop/purchase", purchase).await.result();

    let unowned = report(&site, json!([reported("Adam Smith", None)])).await;
    assert_eq!(unowned["skipped"], json!([{ "name": "Adam Smith", "reason": "not_confirmed" }]));
    assert_eq!(characters(&eve).await[0]["level"], 1);

    let owned = json!([reported("adam smith", Some(adam.account_id))]);
    assert_eq!(report(&site, owned.clone()).await["created"], 1);
    assert_eq!(report(&site, owned).await["unchanged"], 1);
    let (of_eve, of_adam) = (characters(&eve).await[0].clone(), characters(&adam).await[0].clone());
    let new_name = format!("Renamed {id}");
    assert_eq!((&of_eve["character_id"], &of_eve["name"]), (&json!(id), &json!(new_name)));
    assert_eq!((&of_eve["former_name"], &of_eve["level"]), (&json!("Adam Smith"), &json!(1)));
    assert_eq!((&of_eve["guild_name"], &of_eve["confirmed"]), (&json!("Night Watch"), &json!(false)));
    assert_eq!((&of_adam["name"], &of_adam["level"]), (&json!("adam smith"), &json!(60)));
    assert_eq!((&of_adam["confirmed"], of_adam.get("guild_name")), (&json!(true), None));
    assert!(site.guild_members("Night%20Watch").await.contains(&format!("{new_name} member")));

    assert_eq!(site.game_server().get(LEASE).await.ok()["items"], json!([]));
    let line = eve.get("/shop/purchases/1/10").await.ok()["items"][0]["lines"][0].clone();
    assert_eq!(line["status"], "parked");
    assert_eq!(line["last_error"], "the game has given the name of the character to another account");
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let audit = admin.get("/admin/audit").await.ok();
    let entries = audit["items"].as_array().unwrap();
    let renamed = entries.iter().find(|entry| entry["action"] == "character.rename").unwrap();
    assert_eq!(renamed["details"]["owner_id"], adam.account_id);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_takes_no_names() {
    let site = Site::start().await;
    let (eve, adam) = (site.player("eve").await, site.player("adam").await);
    site.claimed_character(&eve, "Adam Smith").await;
    ask_for_deletion(&adam).await.result();
    delete_now(&site, adam.account_id).await;
    let outcome = report(&site, json!([reported("Adam Smith", Some(adam.account_id))])).await;
    assert_eq!(outcome["skipped"], json!([{ "name": "Adam Smith", "reason": "account_not_found" }]));
    assert_eq!(characters(&eve).await[0]["name"], "Adam Smith");
    site.finish().await;
}

/// The report waits for the character. Meanwhile the character joins a guild, whose cached response becomes stale.
#[tokio::test(flavor = "multi_thread")]
async fn a_guild_that_the_renamed_character_joins_meanwhile_shows_its_new_name() {
    let site = Site::start().await;
    let (_, guild_id) = site.guild("Mira", "Night Watch").await;
    let (eve, adam) = (site.player("eve").await, site.player("adam").await);
    let id = site.claimed_character(&eve, "Adam Smith").await;
    let mut join = db::begin(&site.database).await.unwrap();
    sqlx::query("insert into guild_members (character_id, guild_id, rank) values ($1, $2, 1)")
        .bind(id)
        .bind(guild_id)
        .execute(&mut *join)
        .await
        .unwrap();
    sqlx::query("update characters set level = 2 where character_id = $1")
        .bind(id)
        .execute(&mut *join)
        .await
        .unwrap();
    assert_eq!(site.guild_members("Night%20Watch").await, ["Mira leader"]);
    let game_server = site.game_server().clone();
    let body = json!({ "characters": [reported("Adam Smith", Some(adam.account_id))] });
    let renaming = tokio::spawn(async move { game_server.put("/game/characters", body).await });
    let waiting = "select count(*) from pg_stat_activity
                   where datname = current_database() and wait_event_type = 'Lock'";
    wait_until("the report waits for the character", async || site.count(waiting).await > 0).await;
    join.commit().await.unwrap();
    renaming.await.unwrap().result();
    let member = format!("Renamed {id} member");
    assert!(site.guild_members("Night%20Watch").await.contains(&member));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_of_a_confirmed_character_stays() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.character(&mira, "Mira").await;
    assert_eq!(characters(&mira).await[0]["confirmed"], true);
    let other = report(&site, json!([reported("Mira", Some(tom.account_id))])).await;
    assert_eq!(other["skipped"], json!([{ "name": "Mira", "reason": "other_owner" }]));
    assert_eq!(characters(&mira).await[0]["level"], 20);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_allowed_is_skipped_alone() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let owner = Some(mira.account_id);
    let names = ["Mira", "Steve_123", "x", "M\u{131}ra", "", "Mira  Storm"];
    let batch: Vec<Value> = names.iter().map(|name| reported(name, owner)).collect();
    let outcome = report(&site, json!(batch)).await;
    assert_eq!(outcome["created"], 1);
    let skipped: Vec<&Value> =
        outcome["skipped"].as_array().unwrap().iter().map(|character| &character["name"]).collect();
    assert_eq!(json!(skipped), json!(names[1..]));
    assert_eq!(outcome["skipped"][0]["reason"], "name_not_allowed");
    let new = json!({ "name": "Steve_123", "vocation": "Knight" });
    mira.post("/accounts/create-character", new).await.problem(409, "character_name_not_allowed");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_vocations_of_a_game_are_its_own() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let vocations = ["Élite Knight (2)", " Друид ", "", "  ", &"x".repeat(31)];
    let names = ["Anna", "Bert", "Carl", "Dora", "Emil"];
    let batch: Vec<Value> = names
        .iter()
        .zip(vocations)
        .map(|(name, vocation)| {
            let mut character = reported(name, Some(mira.account_id));
            character["vocation"] = json!(vocation);
            character
        })
        .collect();
    let outcome = report(&site, json!(batch)).await;
    assert_eq!(outcome["created"], 2);
    let skipped = |name: &str| json!({ "name": name, "reason": "vocation_not_allowed" });
    assert_eq!(outcome["skipped"], json!(names[2..].iter().map(|name| skipped(name)).collect::<Vec<_>>()));
    for (vocation, filter) in [("Élite Knight (2)", "élite KNIGHT (2)"), ("Друид", "друид")] {
        let path = format!("/characters/highscores/1/10?vocation={filter}");
        let found = site.visitor().get(&path).await.ok();
        assert_eq!((&found["total"], &found["items"][0]["vocation"]), (&json!(1), &json!(vocation)));
    }
    let nobody = site.visitor().get("/characters/highscores/1/10?vocation=%C2%A0").await;
    nobody.invalid("vocation");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_can_demand_confirmed_characters_for_purchases() {
    let site = Site::start_with(Options { purchase_confirmed_required: true, ..Options::default() }).await;
    let tom = site.player("tom").await;
    site.claimed_character(&tom, "Tom").await;
    site.give_coins(&tom, 10).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 1 })).await;
    let purchase = json!({ "character_name": "Tom", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    tom.post("/shop/purchase", purchase.clone()).await.problem(409, "character_not_confirmed");
    report(&site, json!([reported("Tom", Some(tom.account_id))])).await;
    tom.post("/shop/purchase", purchase).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_can_demand_confirmed_characters_for_guilds() {
    let site = Site::start_with(Options { guild_confirmed_required: true, ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.claimed_character(&tom, "Tom").await;
    let guild = json!({ "name": "Tomb", "character_name": "Tom" });
    tom.post("/guild/create-guild", guild).await.problem(409, "character_not_confirmed");
    let membership = character_in_guild(guild_id, "Tom");
    mira.post("/guild/invite", membership.clone()).await.result();
    tom.post("/guild/accept-invite", membership.clone()).await.problem(409, "character_not_confirmed");
    report(&site, json!([reported("Tom", Some(tom.account_id))])).await;
    tom.post("/guild/accept-invite", membership).await.result();
    site.finish().await;
}
