//! What a character may do in a guild goes by its rank there; and is told in advance.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::{Caller, Site};

/// Everything that can be done in a guild; the first three for oneself.
const ACTIONS: [&str; 11] = [
    "accept_invite",
    "decline_invite",
    "leave",
    "invite",
    "cancel_invite",
    "kick",
    "change_motd",
    "change_description",
    "change_rank",
    "pass_leadership",
    "delete",
];

/// Characters by what they are to the guild, and what they may do. The last leads another.
const CAST: [(&str, &[&str]); 6] = [
    ("Leader", ACTIONS.split_at(3).1),
    ("Vice", &["leave", "invite", "cancel_invite", "kick", "change_motd", "change_description"]),
    ("Member", &["leave"]),
    ("Invited", &["accept_invite", "decline_invite"]),
    ("Stranger", &[]),
    ("Elsewhere", &[]),
];

/// With whom it is done: a member, and two who are none.
const OTHERS: [&str; 3] = ["Target", "Pending", "Asked"];

/// What those are told who may not.
fn refusal(action: &str, who: &str) -> (u16, &'static str) {
    match action {
        "accept_invite" | "decline_invite" => (404, "invite_not_found"),
        "leave" if who == "Leader" => (409, "leader_cannot_leave"),
        "leave" => (404, "member_not_found"),
        "change_rank" | "pass_leadership" | "delete" => (403, "not_leader"),
        _ => (403, "not_leading"),
    }
}

fn body(guild_id: i64, action: &str, who: &str) -> Value {
    let with = |name: &str| json!({ "guild_id": guild_id, "character_name": name });
    match action {
        "accept_invite" | "decline_invite" | "leave" => with(who),
        "invite" => with("Asked"),
        "cancel_invite" => with("Pending"),
        "kick" | "pass_leadership" => with("Target"),
        "change_rank" => json!({ "guild_id": guild_id, "character_name": "Target", "rank": "vice_leader" }),
        "change_motd" => json!({ "guild_id": guild_id, "motd": "At eight." }),
        "change_description" => json!({ "guild_id": guild_id, "description": "We guard." }),
        _ => json!({ "guild_id": guild_id }),
    }
}

async fn act(by: &Caller, guild_id: i64, action: &str, who: &str) -> crate::support::Answer {
    by.post(&format!("/guild/{}", action.replace('_', "-")), body(guild_id, action, who)).await
}

/// Founds it with everybody in their place.
async fn found(people: &BTreeMap<&str, Caller>) -> i64 {
    let leader = &people["Leader"];
    let guild = json!({ "name": "Night Watch", "character_name": "Leader" });
    let guild_id = leader.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
    let named = |name: &str| json!({ "guild_id": guild_id, "character_name": name });
    for name in ["Vice", "Member", "Target", "Invited", "Pending"] {
        leader.post("/guild/invite", named(name)).await.result();
    }
    for name in ["Vice", "Member", "Target"] {
        people[name].post("/guild/accept-invite", named(name)).await.result();
    }
    let vice = json!({ "guild_id": guild_id, "character_name": "Vice", "rank": "vice_leader" });
    leader.post("/guild/change-rank", vice).await.result();
    guild_id
}

#[tokio::test(flavor = "multi_thread")]
async fn each_rank_may_do_what_is_told_and_nothing_else() {
    let site = Site::start().await;
    let mut people = BTreeMap::new();
    for name in CAST.into_iter().map(|(name, _)| name).chain(OTHERS) {
        let player = site.player(&name.to_lowercase()).await;
        site.character(&player, name).await;
        people.insert(name, player);
    }
    let elsewhere = json!({ "name": "Day Watch", "character_name": "Elsewhere" });
    people["Elsewhere"].post("/guild/create-guild", elsewhere).await.result();
    let mut guild_id = found(&people).await;
    for (who, may) in CAST {
        let view = people[who].get("/guild/view/Night%20Watch").await.ok();
        let mut told: Vec<&str> = view["own_characters"][0]["may"]
            .as_array()
            .unwrap()
            .iter()
            .map(|action| action.as_str().unwrap())
            .collect();
        told.sort_by_key(|action| ACTIONS.iter().position(|known| known == action));
        assert_eq!(told, may, "{who} is told");
        for action in ACTIONS {
            let answer = act(&people[who], guild_id, action, who).await;
            if !may.contains(&action) {
                let (status, code) = refusal(action, who);
                assert_eq!(answer.status, status, "{who}: {action}: {answer:?}");
                answer.problem(status, code);
                continue;
            }
            assert_eq!(answer.body["status"], "applied", "{who}: {action}: {answer:?}");
            // Everybody in their place again.
            if action != "delete" {
                let head = if action == "pass_leadership" { "Target" } else { "Leader" };
                act(&people[head], guild_id, "delete", head).await.result();
            }
            guild_id = found(&people).await;
        }
    }
    site.finish().await;
}
