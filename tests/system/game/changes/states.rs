//! The states after changes of accounts, characters, guilds and memberships.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Follower;
use crate::support::{
    client::Client,
    community::{StaffRole, character_in_guild},
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_accounts_and_suspensions() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let mut follower = Follower::start(&site).await;
    let mira = site.player("mira").await;
    let account = json!({ "account_id": mira.account_id, "name": "mira", "deleted": false });
    let suspended = |suspension: Value| {
        let mut account = account.clone();
        account["suspension"] = suspension;
        json!({ "account": account })
    };
    assert_eq!(follower.read(1).await, [json!({ "account": account })]);
    let suspension = json!({ "account_id": mira.account_id, "until": null, "reason": "Spam." });
    boss.post("/admin/accounts/suspend", suspension).await.result();
    assert_eq!(follower.read(1).await, [suspended(json!({ "reason": "Spam." }))]);
    let suspension =
        json!({ "account_id": mira.account_id, "until": "2040-01-31T12:00:00Z", "reason": "More spam." });
    boss.post("/admin/accounts/suspend", suspension).await.result();
    let until = json!({ "until": "2040-01-31T12:00:00Z", "reason": "More spam." });
    assert_eq!(follower.read(1).await, [suspended(until)]);
    let lift = json!({ "account_id": mira.account_id, "reason": "A mistake." });
    boss.post("/admin/accounts/lift-suspension", lift).await.result();
    assert_eq!(follower.read(1).await, [json!({ "account": account })]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_characters() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let mut follower = Follower::start(&site).await;
    let id = site.claimed_character(&mira, "Mira").await;
    let mut state = json!({
        "character_id": id, "account_id": mira.account_id, "name": "Mira", "vocation": "Knight", "deleted": false
    });
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    mira.post("/accounts/characters/rename", json!({ "character_id": id, "new_name": "Mimi" }))
        .await
        .result();
    state["name"] = json!("Mimi");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);

    let report = async |name: &str, level: i32, owner: &Client| {
        let character = json!({
            "name": name, "level": level, "vocation": "Elite Knight", "online": false, "account_id": owner.account_id,
            "game_character_id": "812"
        });
        let report = json!({ "characters": [character], "world": "Antica" });
        site.game_server().put("/game/characters", report).await.result();
    };
    report("Mimi", 20, &mira).await;
    state["world"] = json!("Antica");
    state["game_character_id"] = json!("812");
    state["vocation"] = json!("Elite Knight");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    // A new level is no change.
    report("Mimi", 21, &mira).await;
    report("Mira Again", 21, &mira).await;
    state["name"] = json!("Mira Again");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    report("Mira Again", 21, &tom).await;
    state["account_id"] = json!(tom.account_id);
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    let deleted = json!({ "game_character_ids": ["812"] });
    site.game_server().post("/game/characters/delete", deleted).await.result();
    let gone = json!({
        "character_id": id, "account_id": tom.account_id, "world": "Antica", "game_character_id": "812", "deleted": true
    });
    assert_eq!(follower.read(1).await, [json!({ "character": gone })]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_guilds_and_their_members() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let mira_id = site.character(&mira, "Mira").await;
    let mut follower = Follower::start(&site).await;
    let guild = json!({ "name": "Night Watch", "character_name": "Mira" });
    let guild_id = mira.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    let mut guild = json!({
        "guild_id": guild_id, "name": "Night Watch", "leader_id": mira_id, "motd": "", "created_at": view["created_at"],
        "deleted": false
    });
    let mut leader = json!({
        "character_id": mira_id, "guild_id": guild_id, "rank": "leader", "joined_at": view["members"][0]["joined_at"]
    });
    assert_eq!(follower.read(2).await, [json!({ "guild": guild }), json!({ "membership": leader })]);

    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "Winter is coming." }))
        .await
        .result();
    guild["motd"] = json!("Winter is coming.");
    assert_eq!(follower.read(1).await, [json!({ "guild": guild })]);
    let mut nick = character_in_guild(guild_id, "Mira");
    nick["nick"] = json!("The Brave");
    mira.post("/guild/set-nick", nick).await.result();
    leader["nick"] = json!("The Brave");
    assert_eq!(follower.read(1).await, [json!({ "membership": leader })]);

    let tom = site.member(&mira, guild_id, "Tom").await;
    let [account, character, joined] = follower.read(3).await.try_into().unwrap();
    assert_eq!(account["account"]["account_id"], tom.account_id);
    let tom_id = &character["character"]["character_id"];
    let membership = &joined["membership"];
    assert_eq!((&membership["character_id"], &membership["rank"]), (tom_id, &json!("member")));
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Tom")).await.result();
    let mut replica = BTreeMap::new();
    let is_passed = |ranks: &BTreeMap<i64, Value>| {
        ranks.get(&mira_id) == Some(&json!("vice_leader"))
            && ranks.get(&tom_id.as_i64().unwrap()) == Some(&json!("leader"))
    };
    while !is_passed(&replica) {
        for state in follower.next("&wait=20").await {
            let membership = &state["membership"];
            replica
                .insert(membership["character_id"].as_i64().unwrap_or_default(), membership["rank"].clone());
        }
    }

    mira.post("/guild/leave", character_in_guild(guild_id, "Mira")).await.result();
    assert_eq!(follower.read(1).await, [json!({ "membership": { "character_id": mira_id } })]);
    tom.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    guild = json!({ "guild_id": guild_id, "deleted": true });
    let deleted = [json!({ "guild": guild }), json!({ "membership": { "character_id": tom_id } })];
    let mut states = follower.read(2).await;
    states.sort_by_key(|state| state.get("membership").is_some());
    assert_eq!(states, deleted);
    site.finish().await;
}
