//! Requests and messages that arrive more than once.

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;

use crate::support::{
    client::{Client, send},
    community::character_in_guild,
    motd::{CHANGE_MOTD, motd_body},
    operation::wait_until_completed,
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_request_gets_the_same_response_and_has_one_effect() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira").await;
    let create = async |client: &Client, name: &str, key: &str| {
        let guild = json!({ "name": name, "character_name": "Mira" });
        client.post_with_key("/guild/create-guild", &guild, key).await
    };
    let responses = join_all((0..20).map(|_| create(&mira, "Night Watch", "once"))).await;
    for response in &responses {
        assert_eq!(response.clone().result(), responses[0].clone().result());
        assert_eq!(response.body["operation_id"], responses[0].body["operation_id"]);
    }
    assert_eq!(create(&mira, "Night Watch", "once").await.body, responses[0].body);
    assert_eq!(site.count("select count(*) from guilds").await, 1);

    create(&mira, "Day Watch", "once").await.problem(422, "idempotency_key_reused");
    let refused = create(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    let again = create(&mira, "Day Watch", "twice").await.problem(409, "already_in_guild");
    assert_eq!(refused["operation_id"], again["operation_id"]);
    // The same key of another account is another key.
    create(&site.player("tom").await, "Day Watch", "once").await.problem(403, "not_your_character");
    create(&mira, "Day Watch", "").await.invalid("Idempotency-Key");
    let unreadable = mira.request(Method::POST, "/guild/leave").header("Idempotency-Key", &b"\xd7\xf8"[..]);
    send(unreadable.json(&json!({ "guild_id": 1, "character_name": "Mira" })))
        .await
        .invalid("Idempotency-Key");
    create(&mira, "Day Watch", &"k".repeat(256)).await.invalid("Idempotency-Key");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_delivered_several_times_is_applied_once() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    site.stop_workers().await;
    let invite = character_in_guild(guild_id, "Tom");
    let accepted = mira.post_with_preference("/guild/invite", &invite, "respond-async").await;
    let message = site.take_guild_command().await;
    for _ in 0..3 {
        site.publish_guild_command(message.clone()).await;
    }
    site.start_workers();
    assert_eq!(wait_until_completed(&mira, &accepted.body["operation_id"]).await["status"], "applied");
    // A further delivery arrives after the operation is completed.
    site.publish_guild_command(message).await;
    mira.post(CHANGE_MOTD, motd_body(guild_id, "after")).await.result();
    assert_eq!(site.count("select count(*) from operations where command = 'guild.invite'").await, 1);
    assert_eq!(site.count("select count(*) from guild_invites").await, 1);
    site.finish().await;
}
