//! Events that the outbox publishes.

use futures_util::StreamExt;
use lapin::Consumer;
use serde_json::{Value, json};

use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    game::deliveries::{LEASE, delivery_ids, player_with_purchases},
    support::{
        client::Client,
        community::{StaffRole, character_in_guild},
        motd::{CHANGE_MOTD, motd_body},
        site::Site,
        wait::with_hang_limit,
    },
};

/// Waits for the next event, which is about this subject.
async fn expect(events: &mut Consumer, topic: &str, id_field: &str, id: &Value) {
    let event = with_hang_limit("an event arrives", events.next()).await.unwrap().unwrap();
    let event: Value = serde_json::from_slice(&event.data).unwrap();
    assert_eq!((&event["topic"], &event["payload"][id_field]), (&json!(topic), id), "{event}");
}

#[tokio::test(flavor = "multi_thread")]
async fn events_are_published_in_order_and_only_for_applied_commands() {
    let site = Site::start().await;
    let (_connection, mut events) = site.consume_events("guild.#").await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.member(&mira, guild_id, "Tom").await;
    site.character(&mira, "Ana").await;
    for end in ["/guild/decline-invite", "/guild/cancel-invite"] {
        mira.post("/guild/invite", character_in_guild(guild_id, "Ana")).await.result();
        mira.post(end, character_in_guild(guild_id, "Ana")).await.result();
    }
    let rank = json!({ "guild_id": guild_id, "character_name": "Tom", "rank": "vice_leader" });
    mira.post("/guild/change-rank", rank).await.result();
    mira.post(CHANGE_MOTD, motd_body(guild_id, "Hold.")).await.result();
    let description = json!({ "guild_id": guild_id, "description": "We hold." });
    mira.post("/guild/change-description", description).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    for topic in [
        "guild.created",
        "guild.invited",
        "guild.member_joined",
        "guild.invited",
        "guild.invite_declined",
        "guild.invited",
        "guild.invite_cancelled",
        "guild.rank_changed",
        "guild.motd_changed",
        "guild.description_changed",
        "guild.deleted",
    ] {
        expect(&mut events, topic, "guild_id", &json!(guild_id)).await;
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_an_account_and_of_a_character_is_an_event() {
    let site = Site::start().await;
    let (_connection, mut accounts) = site.consume_events("account.#").await;
    let (_other_connection, mut characters) = site.consume_events("character.#").await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    mira.delete("/accounts/sessions").await.result();
    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    for (topic, account) in [
        ("account.registered", &mira),
        ("account.registered", &tom),
        ("account.sessions_ended", &mira),
        ("account.deleted", &mira),
    ] {
        expect(&mut accounts, topic, "account_id", &json!(account.account_id)).await;
    }

    let ann = site.player("ann").await;
    let (claimed, taken) =
        (site.claimed_character(&tom, "Tom Oak").await, site.claimed_character(&tom, "Tom Ash").await);
    let rename = json!({ "character_id": claimed, "new_name": "Tom Elm" });
    tom.post("/accounts/characters/rename", rename).await.result();
    let by_name = json!({ "character_name": "Tom Elm" });
    tom.post("/accounts/characters/delete", by_name.clone()).await.result();
    tom.post("/accounts/characters/cancel-deletion", by_name).await.result();
    let report = async |name: &str, owner: &Client| {
        let character = json!({
            "name": name, "level": 30, "vocation": "Knight", "online": false, "account_id": owner.account_id,
            "game_character_id": name.to_lowercase().split(' ').next(),
        });
        site.game_server().put("/game/characters", json!({ "characters": [character] })).await.result();
    };
    report("Tom Elm", &tom).await;
    // The game renames and sells it. Then another player has the name that it had not confirmed.
    report("Tom Fir", &tom).await;
    report("Tom Fir", &ann).await;
    let of_ann = json!({
        "name": "Tom Ash", "level": 30, "vocation": "Knight", "online": false, "account_id": ann.account_id,
        "game_character_id": "ash",
    });
    site.game_server().put("/game/characters", json!({ "characters": [of_ann] })).await.result();
    site.game_server()
        .post("/game/characters/delete", json!({ "game_character_ids": ["tom"] }))
        .await
        .result();
    for (topic, character_id) in [
        ("character.created", claimed),
        ("character.created", taken),
        ("character.renamed", claimed),
        ("character.deletion_requested", claimed),
        ("character.deletion_cancelled", claimed),
        ("character.confirmed", claimed),
        ("character.renamed", claimed),
        ("character.owner_changed", claimed),
        ("character.renamed", taken),
        ("character.deleted", claimed),
    ] {
        expect(&mut characters, topic, "character_id", &json!(character_id)).await;
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn each_step_of_a_delivery_but_leases_and_refusals_is_an_event() {
    let site = Site::start().await;
    let (_connection, mut events) = site.consume_events("delivery.#").await;
    player_with_purchases(&site, 2).await;
    let admin = site.player_with_role("boss2", StaffRole::Admin).await;
    let ids = delivery_ids(&site.game_server().get(LEASE).await.ok());
    let refused = json!({ "deliveries": [{ "delivery_id": ids[1], "reason": "The depot is full." }] });
    site.game_server().post("/game/deliveries/nack", refused.clone()).await.result();
    site.execute("update deliveries set refusals = 9").await;
    site.game_server().post("/game/deliveries/nack", refused).await.result();
    site.game_server().post("/game/deliveries/ack", json!({ "delivery_ids": [ids[0]] })).await.result();
    let parked = json!({ "delivery_id": ids[1], "reason": "The depot was full." });
    admin.post("/admin/deliveries/discard", parked.clone()).await.result();
    admin.post("/admin/deliveries/resend", parked).await.result();
    for (topic, delivery_id) in [
        ("delivery.ready", &ids[0]),
        ("delivery.ready", &ids[1]),
        ("delivery.parked", &ids[1]),
        ("delivery.delivered", &ids[0]),
        ("delivery.discarded", &ids[1]),
        ("delivery.ready", &ids[1]),
    ] {
        expect(&mut events, topic, "delivery_id", &json!(delivery_id)).await;
    }
    site.finish().await;
}
