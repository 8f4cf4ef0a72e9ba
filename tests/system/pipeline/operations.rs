//! Commands whose client does not wait for the outcome.

use std::time::Instant;

use serde_json::{Value, json};

use crate::support::{
    motd::{CHANGE_MOTD, motd_body},
    operation::{operation_path, wait_until_completed},
    options::Options,
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn an_asynchronous_command_can_be_followed_until_it_is_completed() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let accepted = mira.post_with_preference(CHANGE_MOTD, &motd_body(guild_id, "one"), "respond-async").await;
    assert_eq!(accepted.status, 202);
    assert_eq!(accepted.body["status"], "pending");
    assert_eq!(accepted.body["result"], Value::Null);
    let operation = accepted.body["operation_id"].clone();
    assert_eq!(accepted.header("location"), operation_path(&operation));
    let state = wait_until_completed(&mira, &operation).await;
    assert_eq!((&state["status"], &state["result"]["motd"]), (&json!("applied"), &json!("one")));

    let refused = mira.post_with_preference(CHANGE_MOTD, &motd_body(999, "one"), "respond-async").await;
    let state = wait_until_completed(&mira, &refused.body["operation_id"]).await;
    assert_eq!((&state["status"], &state["problem"]["code"]), (&json!("refused"), &json!("guild_not_found")));
    assert_eq!((&state["problem"]["status"], &state["result"]), (&json!(404), &Value::Null));

    let path = operation_path(&operation);
    site.visitor().get(&path).await.problem(404, "operation_not_found");
    site.player("tom").await.get(&path).await.problem(404, "operation_not_found");
    site.game_server().get(&path).await.problem(404, "operation_not_found");
    mira.get("/operations/01234567-89ab-7def-8123-456789abcdef").await.problem(404, "operation_not_found");
    mira.get("/operations/x").await.invalid("id");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_not_completed_in_time_is_accepted_with_202() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let started = Instant::now();
    let accepted = mira.post_with_preference(CHANGE_MOTD, &motd_body(guild_id, "later"), "wait=1").await;
    assert_eq!(accepted.status, 202);
    // The preferred time has passed, and not the longer time that the api would wait.
    let longest = Options::default().command_wait;
    assert!((1..longest).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
    let operation = accepted.body["operation_id"].clone();
    let path = operation_path(&operation);
    assert_eq!(mira.get(&path).await.ok()["status"], "pending");
    site.start_workers();
    assert_eq!(wait_until_completed(&mira, &operation).await["result"]["motd"], "later");
    site.finish().await;
}
