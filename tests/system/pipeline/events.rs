//! Events that the outbox publishes.

use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::{site::Site, wait::with_hang_limit};

#[tokio::test(flavor = "multi_thread")]
async fn events_are_published_in_order_and_only_for_applied_commands() {
    let site = Site::start().await;
    let (_connection, mut events) = site.consume_events("guild.#").await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.member(&mira, guild_id, "Tom").await;
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    for expected in ["guild.created", "guild.invited", "guild.member_joined", "guild.deleted"] {
        let event = with_hang_limit("an event arrives", events.next()).await.unwrap().unwrap();
        let event: Value = serde_json::from_slice(&event.data).unwrap();
        assert_eq!((&event["topic"], &event["payload"]["guild_id"]), (&json!(expected), &json!(guild_id)));
    }
    site.finish().await;
}
