//! Players delete their characters.

use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    community::{StaffRole, character_in_guild},
    site::Site,
    wait::wait_until,
};

async fn delete(player: &Client, name: &str) -> Response {
    player.post("/accounts/characters/delete", json!({ "character_name": name })).await
}

async fn cancel(player: &Client, name: &str) -> Response {
    player.post("/accounts/characters/cancel-deletion", json!({ "character_name": name })).await
}

async fn characters(player: &Client) -> Vec<Value> {
    player.get("/accounts/characters").await.ok()["items"].as_array().unwrap().clone()
}

/// Makes the job of a requested deletion run. It also does this without a request, as after a race of two commands.
async fn make_due(site: &Site, character_id: i64) {
    site.execute(&format!(
        "update characters set deletion_due_at = now() where character_id = {character_id};
         insert into jobs (job, due_at)
         values ('{{\"name\": \"delete_character\", \"character_id\": {character_id}}}', now())
         on conflict (job) do update set due_at = now()"
    ))
    .await;
}

async fn wait_until_jobs_are_done(site: &Site) {
    let jobs = "select count(*) from jobs where job->>'name' = 'delete_character'";
    wait_until("the job is done", async || site.count(jobs).await == 0).await;
}

/// A member of the guild whose name the game has not confirmed.
async fn claimed_member(site: &Site, leader: &Client, guild_id: i64, owner: &Client, name: &str) -> i64 {
    let character_id = site.claimed_character(owner, name).await;
    leader.post("/guild/invite", character_in_guild(guild_id, name)).await.result();
    owner.post("/guild/accept-invite", character_in_guild(guild_id, name)).await.result();
    character_id
}

/// Each change of a character has an entry in the audit log forever.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_characters_are_limited_per_account() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.claimed_character(&mira, "Mira Stormborn").await;
    for _ in 0..60 {
        cancel(&mira, "Mira Stormborn").await.problem(409, "character_not_being_deleted");
    }
    cancel(&mira, "Mira Stormborn").await.problem(429, "too_many_requests");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_character_leaves_its_guild_and_frees_its_name() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let id = claimed_member(&site, &mira, guild_id, &tom, "Tom").await;
    delete(&mira, "Tom").await.problem(403, "not_your_character");
    delete(&tom, "Nobody").await.problem(404, "character_not_found");

    let requested = delete(&tom, "Tom").await.result();
    assert_eq!(requested["character_id"], id);
    delete(&tom, "Tom").await.problem(409, "character_being_deleted");
    assert_eq!(characters(&tom).await[0]["deletion_due_at"], requested["deletion_due_at"]);
    let due = "select deletion_due_at from characters where deletion_due_at is not null";
    site.wait_until_ahead(due, "7 days").await;
    let rename = json!({ "character_id": id, "new_name": "Tomira" });
    tom.post("/accounts/characters/rename", rename.clone()).await.problem(409, "character_being_deleted");
    // A job that runs too early waits.
    site.execute("update jobs set due_at = now() where job->>'name' = 'delete_character'").await;
    let waiting = "select count(*) from jobs where job->>'name' = 'delete_character' and due_at > now() + interval '1 day'";
    wait_until("the job waits", async || site.count(waiting).await == 1).await;
    assert_eq!(site.guild_members("Night%20Watch").await, ["Mira leader", "Tom member"]);

    make_due(&site, id).await;
    wait_until_jobs_are_done(&site).await;
    let left = async || site.guild_members("Night%20Watch").await == ["Mira leader"];
    wait_until("the guild shows that the character has left", left).await;
    assert!(characters(&tom).await.is_empty());
    tom.post("/accounts/characters/rename", rename).await.problem(404, "character_not_found");
    let by_id = json!({ "character_id": id });
    tom.post("/accounts/characters/cancel-deletion", by_id).await.problem(404, "character_not_found");
    let without_guild = site.visitor().get("/guild/players-without-guild").await.ok();
    assert_eq!(without_guild["items"], json!([]));
    site.claimed_character(&mira, "Tom").await;

    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let audit = admin.get("/admin/audit").await.ok();
    let of_character = |entry: &&Value| entry["details"]["character_id"] == id;
    let actions: Vec<&Value> = audit["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(of_character)
        .map(|entry| &entry["action"])
        .collect();
    assert_eq!(json!(actions), json!(["character.delete", "character.request_deletion"]));
    let found = admin.get(&format!("/admin/accounts/{}", tom.account_id)).await.ok();
    assert_eq!(found["characters"], json!([]));
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_requested_deletion_can_be_cancelled() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let id = site.claimed_character(&mira, "Mira").await;
    cancel(&mira, "Mira").await.problem(409, "character_not_being_deleted");
    delete(&mira, "Mira").await.result();
    cancel(&tom, "Mira").await.problem(403, "not_your_character");
    assert_eq!(cancel(&mira, "Mira").await.result(), json!({ "character_id": id }));
    cancel(&mira, "Mira").await.problem(409, "character_not_being_deleted");
    site.execute("update jobs set due_at = now() where job->>'name' = 'delete_character'").await;
    wait_until_jobs_are_done(&site).await;
    let character = characters(&mira).await[0].clone();
    assert_eq!((&character["name"], character.get("deletion_due_at")), (&json!("Mira"), None));
    delete(&mira, "Mira").await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_game_owns_its_characters() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.claimed_character(&mira, "Mira").await;
    delete(&mira, "Mira").await.result();
    // The game confirms the character, and so it stays.
    site.report_presence("Mira", 20, false).await;
    let character = characters(&mira).await[0].clone();
    assert_eq!((&character["confirmed"], character.get("deletion_due_at")), (&json!(true), None));
    delete(&mira, "Mira").await.problem(409, "character_belongs_to_game");
    site.execute("update jobs set due_at = now() where job->>'name' = 'delete_character'").await;
    wait_until_jobs_are_done(&site).await;
    assert_eq!(characters(&mira).await[0]["name"], "Mira");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_will_be_deleted_joins_no_guild() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let membership = character_in_guild(guild_id, "Tom");
    site.claimed_character(&tom, "Tom").await;
    mira.post("/guild/invite", membership.clone()).await.result();
    delete(&tom, "Tom").await.result();
    let invites = tom.post("/guild/invites", json!({})).await.ok();
    assert_eq!(invites["items"], json!([]));
    let being_deleted = "character_being_deleted";
    tom.post("/guild/accept-invite", membership.clone()).await.problem(409, being_deleted);
    mira.post("/guild/invite", membership.clone()).await.problem(409, being_deleted);
    let guild = json!({ "name": "Day Watch", "character_name": "Tom" });
    tom.post("/guild/create-guild", guild).await.problem(409, being_deleted);
    let without_guild = site.visitor().get("/guild/players-without-guild").await.ok();
    assert_eq!(without_guild["items"], json!([]));
    cancel(&tom, "Tom").await.result();
    mira.post("/guild/invite", membership.clone()).await.result();
    tom.post("/guild/accept-invite", membership.clone()).await.result();

    // A member stays until the deletion, but cannot become the leader.
    delete(&tom, "Tom").await.result();
    mira.post("/guild/pass-leadership", membership.clone()).await.problem(409, being_deleted);
    tom.post("/guild/leave", membership).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn purchases_are_delivered_before_a_deletion() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let id = site.claimed_character(&mira, "Mira").await;
    site.give_coins(&mira, 1000).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase = json!({ "character_name": "Mira", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    let bought = mira.post("/shop/purchase", purchase.clone()).await.result();
    delete(&mira, "Mira").await.problem(409, "deliveries_pending");
    let delivery_id = bought["deliveries"][0]["delivery_id"].clone();
    let acknowledgement = json!({ "delivery_ids": [delivery_id] });
    site.game_server().post("/game/deliveries/ack", acknowledgement).await.result();
    delete(&mira, "Mira").await.result();
    mira.post("/shop/purchase", purchase).await.problem(409, "character_being_deleted");

    // A delivery that is open in spite of that is parked.
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let resend = json!({ "delivery_id": delivery_id, "reason": "It was lost." });
    admin.post("/admin/deliveries/resend", resend.clone()).await.result();
    make_due(&site, id).await;
    wait_until_jobs_are_done(&site).await;
    let order = mira.get("/shop/purchases/1/10").await.ok()["items"][0].clone();
    assert_eq!(order["character_name"], format!("Deleted {id}"));
    assert_eq!(order["lines"][0]["status"], "parked");
    assert_eq!(order["lines"][0]["last_error"], "the character was deleted");
    admin.post("/admin/deliveries/resend", resend).await.problem(404, "character_not_found");
    let all = json!({
        "status": "parked", "since": "2020-01-01T00:00:00Z", "until": chrono::Utc::now().to_rfc3339(),
        "reason": "The world is back."
    });
    assert_eq!(admin.post("/admin/deliveries/resend-many", all).await.result()["resent"], 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_is_not_deleted_and_a_guild_always_has_one() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let player = site.player("player").await;
    let mut ids = vec![];
    for name in ["Lea", "Tom", "Ann", "Eve", "Bea"] {
        ids.push(claimed_member(&site, &mira, guild_id, &player, name).await);
    }
    let [lea, tom, ann, eve, bea] = ids[..] else { panic!("there are five characters") };
    let rank = json!({ "guild_id": guild_id, "character_name": "Bea", "rank": "vice_leader" });
    mira.post("/guild/change-rank", rank).await.result();
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Lea")).await.result();
    mira.post("/guild/leave", character_in_guild(guild_id, "Mira")).await.result();
    delete(&player, "Lea").await.problem(409, "character_leads_guild");
    delete(&player, "Tom").await.result();

    // The highest rank, then the longest membership, and a character that will be deleted only if there is no other one.
    for (deleted, members) in [
        (lea, &["Bea leader", "Ann member", "Eve member", "Tom member"][..]),
        (bea, &["Ann leader", "Eve member", "Tom member"]),
        (ann, &["Eve leader", "Tom member"]),
        (eve, &["Tom leader"]),
    ] {
        make_due(&site, deleted).await;
        let passed = async || site.guild_members("Night%20Watch").await == members;
        wait_until("the guild has another leader", passed).await;
    }
    let leader = site.visitor().get("/guilds/1/10").await.ok()["items"][0]["leader_name"].clone();
    assert_eq!(leader, "Tom");
    make_due(&site, tom).await;
    let is_deleted = async || site.visitor().get("/guild/view/Night%20Watch").await.status == 404;
    wait_until("the guild is deleted", is_deleted).await;
    assert_eq!(site.visitor().get("/guilds/1/10").await.ok()["items"], json!([]));
    site.finish().await;
}
