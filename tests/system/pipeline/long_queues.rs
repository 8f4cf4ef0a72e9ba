//! Queues that are too long: new commands are refused until the workers have caught up.

use futures_util::{StreamExt, stream};
use http::Method;
use serde_json::json;

use crate::support::{
    client::send,
    motd::{CHANGE_MOTD, motd_body},
    notification::SignedNotification,
    options::Options,
    site::Site,
    wait::{wait_for, wait_until},
};

/// More than two batches, so that some still wait in the queue during the first ones.
const CHANGES: i64 = 400;

#[tokio::test(flavor = "multi_thread")]
async fn commands_are_refused_while_their_queue_is_too_long() {
    let site = Site::start_with(Options { queue_seconds: 1, ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let change = |text: String| {
        let body = motd_body(guild_id, &text);
        send(mira.request(Method::POST, CHANGE_MOTD).json(&body).header("Prefer", "respond-async"))
    };
    site.execute(
        "create function wait_a_little() returns trigger language plpgsql as $$
         begin perform pg_sleep(0.03); return new; end $$;
         create trigger slow before insert on operations for each row execute function wait_a_little()",
    )
    .await;
    let changes = stream::iter(0..CHANGES).map(|number| change(format!("Number {number}")));
    let responses: Vec<_> = changes.buffer_unordered(16).collect().await;
    let (accepted, refused): (Vec<_>, Vec<_>) =
        responses.into_iter().partition(|response| response.status == 202);
    assert!(refused.iter().all(|response| response.body["code"] == "queue_too_long"), "{refused:?}");
    let refused = wait_for("a command is refused", async || {
        let response = change("Later".to_owned()).await;
        (response.status == 503).then_some(response)
    })
    .await;
    let retry_after: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&retry_after), "{retry_after}");
    refused.problem(503, "queue_too_long");
    site.execute("drop trigger slow on operations").await;
    let applied =
        "select count(*) from operations where command = 'guild.change_motd' and outcome ? 'applied'";
    wait_until("the accepted changes are applied", async || {
        site.count(applied).await >= accepted.len() as i64
    })
    .await;
    wait_until("commands are accepted again", async || change("At last".to_owned()).await.status == 202)
        .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_acknowledgements_and_log_outs_are_always_accepted() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let character = json!({ "name": "Mira Stormborn", "vocation": "Knight" });
    let first = mira.post_with_key("/accounts/create-character", &character, "0000-0001").await.result();
    // As a worker does that processes only one command in a minute.
    site.execute("update partitions set wait_seconds = 100").await;
    let guild = json!({ "character_name": "Mira Stormborn", "name": "Night Watch" });
    wait_until("a command is refused", async || {
        mira.post("/guild/create-guild", guild.clone()).await.body["code"] == "queue_too_long"
    })
    .await;
    let refused = mira.post("/guild/create-guild", guild).await;
    assert_eq!(refused.headers["retry-after"], "60");
    // The outcome of an accepted command is known in any case.
    let repeated = mira.post_with_key("/accounts/create-character", &character, "0000-0001").await.result();
    assert_eq!(repeated["character_id"], first["character_id"]);
    let notification = SignedNotification::new("message-1", &json!({ "payment_id": "unknown" }));
    send(notification.request(&site.visitor())).await.ok();
    let delivered = json!({ "delivery_ids": [uuid::Uuid::nil()] });
    assert!(site.game_server().post("/game/deliveries/ack", delivered).await.status < 500);
    mira.delete("/auth").await.result();
    site.finish().await;
}
