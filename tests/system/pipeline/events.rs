//! Events that the outbox publishes.

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::{
    community::character_in_guild,
    motd::{CHANGE_MOTD, motd_body},
    site::Site,
    wait::with_hang_limit,
};

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
    for expected in [
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
        let event = with_hang_limit("an event arrives", events.next()).await.unwrap().unwrap();
        let event: Value = serde_json::from_slice(&event.data).unwrap();
        assert_eq!((&event["topic"], &event["payload"]["guild_id"]), (&json!(expected), &json!(guild_id)));
    }
    site.finish().await;
}
