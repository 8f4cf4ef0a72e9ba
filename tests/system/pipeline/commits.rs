//! The commit of a batch whose message or response is lost. The drills kill a worker at the same messages.

use guildhall_testkit::{
    proxy::{Pattern, Proxy},
    worker_steps::{COMMIT_OF_BATCH, RESPONSE_TO_COMMIT_OF_BATCH},
};
use serde_json::Value;

use crate::support::{
    client::Client,
    motd::{CHANGE_MOTD, motd_body},
    operation::operation_path,
    options::Options,
    site::Site,
    wait::{wait_for, with_hang_limit},
};

/// A site that reaches Postgres through this proxy.
async fn start() -> (Site, Proxy) {
    let proxy = Proxy::to(&Options::default().database_url).await.unwrap();
    let options = Options { database_url: proxy.url.clone(), ..Options::default() };
    (Site::start_with(options).await, proxy)
}

/// Sends a command, and returns its operation when the pattern is about to pass.
async fn change_until(mira: &Client, guild_id: i64, proxy: &Proxy, pattern: Pattern) -> Value {
    let change = async {
        let motd = motd_body(guild_id, "once");
        mira.post_with_preference(CHANGE_MOTD, &motd, "respond-async").await.body["operation_id"].clone()
    };
    let stopped = Proxy::stop_at([proxy].into_iter(), pattern);
    let (operation_id, stopped) =
        with_hang_limit("the batch commits", async { tokio::join!(change, stopped) }).await;
    assert_eq!(stopped.unwrap(), proxy.address);
    operation_id
}

/// Whether the operation is stored, and whether a transaction has locked the guild.
async fn stored_and_locked(site: &Site, operation_id: &Value, guild_id: i64) -> (bool, bool) {
    let operation_id = operation_id.as_str().unwrap();
    let stored = format!("select count(*) from operations where operation_id = '{operation_id}'");
    let free = format!(
        "select count(*) from (select from guilds where guild_id = {guild_id} for update skip locked) free"
    );
    (site.count(&stored).await == 1, site.count(&free).await == 0)
}

/// Waits until the operation is completed. The cut has also closed the connections of the api, so it may respond with status 503 first.
async fn completed(mira: &Client, operation_id: &Value) -> Value {
    let path = operation_path(operation_id);
    wait_for("the operation is completed", async || {
        let state = mira.get(&path).await;
        (state.status == 200 && state.body["status"] != "pending").then_some(state.body)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_whose_commit_is_lost_is_applied_later() {
    let (site, proxy) = start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let operation_id = change_until(&mira, guild_id, &proxy, COMMIT_OF_BATCH).await;
    assert_eq!(stored_and_locked(&site, &operation_id, guild_id).await, (false, true));
    proxy.cut().await;
    assert_eq!(completed(&mira, &operation_id).await["result"]["motd"], "once");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_whose_confirmation_is_lost_is_applied_once() {
    let (site, proxy) = start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let operation_id = change_until(&mira, guild_id, &proxy, RESPONSE_TO_COMMIT_OF_BATCH).await;
    assert_eq!(stored_and_locked(&site, &operation_id, guild_id).await, (true, false));
    proxy.cut().await;
    assert_eq!(completed(&mira, &operation_id).await["result"]["motd"], "once");
    assert_eq!(site.count("select count(*) from operations where command = 'guild.change_motd'").await, 1);
    site.finish().await;
}
