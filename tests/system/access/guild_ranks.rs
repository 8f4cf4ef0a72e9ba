//! The actions that each rank may do in a guild. The guild view announces them.

use std::{collections::BTreeMap, sync::LazyLock};

use guildhall_common::contract::guild::{GuildAction, GuildRank};
use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    community::character_in_guild,
    service::openapi_document,
    site::Site,
};

/// The characters with their ranks. The last one leads another guild.
const CHARACTERS: [(&str, Option<GuildRank>); 6] = [
    ("Leader", Some(GuildRank::Leader)),
    ("Vice", Some(GuildRank::ViceLeader)),
    ("Member", Some(GuildRank::Member)),
    ("Invited", None),
    ("Outsider", None),
    ("Elsewhere", None),
];

/// The name of an action in the view, and in the path of its operation.
fn name(action: GuildAction) -> String {
    serde_json::to_value(action).unwrap().as_str().unwrap().to_owned()
}

static DOCUMENT: LazyLock<Value> = LazyLock::new(openapi_document);

/// The targets of actions: a member, and two characters outside the guild.
const TARGETS: [&str; 3] = ["Target", "Pending", "Candidate"];

/// The refusal of an action that a character may not do.
fn refusal(action: GuildAction, character: &str) -> (u16, &'static str) {
    match (action, action.ranks()) {
        (GuildAction::AcceptInvite | GuildAction::DeclineInvite, _) => (404, "invite_not_found"),
        (GuildAction::Leave, _) if character == "Leader" => (409, "leader_cannot_leave"),
        (GuildAction::Leave, _) => (404, "member_not_found"),
        (_, [GuildRank::Leader]) => (403, "not_leader"),
        _ => (403, "not_leading"),
    }
}

/// The example of the document about this guild.
fn body(document: &Value, path: &str, guild_id: i64, action: GuildAction, character: &str) -> Value {
    let schema = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
    let schema = schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
    let mut body = document["components"]["schemas"][schema]["example"].clone();
    body["guild_id"] = guild_id.into();
    if let Some(named) = body.get_mut("character_name") {
        *named = match action {
            GuildAction::AcceptInvite | GuildAction::DeclineInvite | GuildAction::Leave => character,
            GuildAction::Invite => "Candidate",
            GuildAction::CancelInvite => "Pending",
            _ => "Target",
        }
        .into();
    }
    body
}

async fn act(by: &Client, guild_id: i64, action: GuildAction, character: &str) -> Response {
    let path = format!("/guild/{}", name(action).replace('_', "-"));
    let body = body(&DOCUMENT, &path, guild_id, action, character);
    by.post(&path, body).await
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
    for (character, rank) in CHARACTERS {
        // A unit test of the contract has the actions as literals.
        let may: Vec<GuildAction> = GuildAction::allowed(rank, character == "Invited").collect();
        let view = players[character].get("/guild/view/Night%20Watch").await.ok();
        let own = view["own_characters"].as_array().unwrap();
        // The view shows only characters that are members or invited.
        assert_eq!(own.is_empty(), may.is_empty(), "{character}: {own:?}");
        let announced = own.iter().flat_map(|character| character["may"].as_array().unwrap());
        let announced: Vec<&str> = announced.map(|action| action.as_str().unwrap()).collect();
        let names: Vec<String> = may.iter().copied().map(name).collect();
        assert_eq!(announced, names, "the announced actions of {character}");
        for &action in GuildAction::ALL {
            let response = act(&players[character], guild_id, action, character).await;
            if !may.contains(&action) {
                let (status, code) = refusal(action, character);
                assert_eq!(response.status, status, "{character}: {action:?}: {response:?}");
                response.problem(status, code);
                continue;
            }
            assert_eq!(response.body["status"], "applied", "{character}: {action:?}: {response:?}");
            // Restore every character to its place.
            if action != GuildAction::Delete {
                let leader = if action == GuildAction::PassLeadership { "Target" } else { "Leader" };
                act(&players[leader], guild_id, GuildAction::Delete, leader).await.result();
            }
            guild_id = create_guild(&players).await;
        }
    }
    site.finish().await;
}
