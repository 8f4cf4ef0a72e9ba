//! The actions that each rank may do in a guild. The guild view announces them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    community::{PIXEL, character_in_guild},
    site::Site,
};

/// Every action in a guild. A character does the first three for itself.
const ACTIONS: [&str; 12] = [
    "accept_invite",
    "decline_invite",
    "leave",
    "invite",
    "cancel_invite",
    "kick",
    "change_motd",
    "change_description",
    "change_logo",
    "change_rank",
    "pass_leadership",
    "delete",
];

/// The characters and the actions that they may do. The last one leads another guild.
const CHARACTERS: [(&str, &[&str]); 6] = [
    ("Leader", ACTIONS.split_at(3).1),
    (
        "Vice",
        &["leave", "invite", "cancel_invite", "kick", "change_motd", "change_description", "change_logo"],
    ),
    ("Member", &["leave"]),
    ("Invited", &["accept_invite", "decline_invite"]),
    ("Outsider", &[]),
    ("Elsewhere", &[]),
];

/// The targets of actions: a member, and two characters outside the guild.
const TARGETS: [&str; 3] = ["Target", "Pending", "Candidate"];

/// The refusal of an action that a character may not do.
fn refusal(action: &str, character: &str) -> (u16, &'static str) {
    match action {
        "accept_invite" | "decline_invite" => (404, "invite_not_found"),
        "leave" if character == "Leader" => (409, "leader_cannot_leave"),
        "leave" => (404, "member_not_found"),
        "change_rank" | "pass_leadership" | "delete" => (403, "not_leader"),
        _ => (403, "not_leading"),
    }
}

fn body(guild_id: i64, action: &str, character: &str) -> Value {
    let with = |name: &str| character_in_guild(guild_id, name);
    match action {
        "accept_invite" | "decline_invite" | "leave" => with(character),
        "invite" => with("Candidate"),
        "cancel_invite" => with("Pending"),
        "kick" | "pass_leadership" => with("Target"),
        "change_rank" => json!({ "guild_id": guild_id, "character_name": "Target", "rank": "vice_leader" }),
        "change_motd" => json!({ "guild_id": guild_id, "motd": "At eight." }),
        "change_description" => json!({ "guild_id": guild_id, "description": "We guard." }),
        "change_logo" => json!({ "guild_id": guild_id, "image": PIXEL }),
        _ => json!({ "guild_id": guild_id }),
    }
}

async fn act(by: &Client, guild_id: i64, action: &str, character: &str) -> Response {
    by.post(&format!("/guild/{}", action.replace('_', "-")), body(guild_id, action, character)).await
}

/// Creates the guild with every character in its place; returns its id.
async fn create_guild(players: &BTreeMap<&str, Client>) -> i64 {
    let leader = &players["Leader"];
    let guild = json!({ "name": "Night Watch", "character_name": "Leader" });
    let guild_id = leader.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
    for name in ["Vice", "Member", "Target", "Invited", "Pending"] {
        leader.post("/guild/invite", character_in_guild(guild_id, name)).await.result();
    }
    for name in ["Vice", "Member", "Target"] {
        players[name].post("/guild/accept-invite", character_in_guild(guild_id, name)).await.result();
    }
    let vice = json!({ "guild_id": guild_id, "character_name": "Vice", "rank": "vice_leader" });
    leader.post("/guild/change-rank", vice).await.result();
    guild_id
}

#[tokio::test(flavor = "multi_thread")]
async fn each_rank_may_do_what_the_view_announces_and_nothing_else() {
    let site = Site::start().await;
    let mut players = BTreeMap::new();
    for name in CHARACTERS.into_iter().map(|(name, _)| name).chain(TARGETS) {
        let player = site.player(&name.to_lowercase()).await;
        site.character(&player, name).await;
        players.insert(name, player);
    }
    let elsewhere = json!({ "name": "Day Watch", "character_name": "Elsewhere" });
    players["Elsewhere"].post("/guild/create-guild", elsewhere).await.result();
    let mut guild_id = create_guild(&players).await;
    for (character, may) in CHARACTERS {
        let view = players[character].get("/guild/view/Night%20Watch").await.ok();
        let own = view["own_characters"].as_array().unwrap();
        // The view shows only characters that are members or invited.
        assert_eq!(own.is_empty(), may.is_empty(), "{character}: {own:?}");
        let mut announced: Vec<&str> = own
            .iter()
            .flat_map(|character| character["may"].as_array().unwrap())
            .map(|action| action.as_str().unwrap())
            .collect();
        announced.sort_by_key(|action| ACTIONS.iter().position(|known| known == action));
        assert_eq!(announced, may, "the announced actions of {character}");
        for action in ACTIONS {
            let response = act(&players[character], guild_id, action, character).await;
            if !may.contains(&action) {
                let (status, code) = refusal(action, character);
                assert_eq!(response.status, status, "{character}: {action}: {response:?}");
                response.problem(status, code);
                continue;
            }
            assert_eq!(response.body["status"], "applied", "{character}: {action}: {response:?}");
            // Restore every character to its place.
            if action != "delete" {
                let leader = if action == "pass_leadership" { "Target" } else { "Leader" };
                act(&players[leader], guild_id, "delete", leader).await.result();
            }
            guild_id = create_guild(&players).await;
        }
    }
    site.finish().await;
}
