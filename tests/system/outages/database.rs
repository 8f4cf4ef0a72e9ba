//! Postgres that is unavailable, or silent.

use std::time::Duration;

use guildhall_common::platform::db;
use guildhall_testkit::proxy::Proxy;
use http::Method;
use serde_json::json;
use tokio::time::sleep;

use crate::support::{
    client::send_once,
    motd::{CHANGE_MOTD, motd_body},
    operation::wait_until_completed,
    options::Options,
    site::Site,
    wait::{wait_until, with_hang_limit},
};

async fn site_behind(link: &Proxy) -> Site {
    let options = Options { database_url: link.url.clone(), command_wait: 5, ..Options::default() };
    Site::start_with(options).await
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_wait_while_postgres_is_unavailable_and_none_is_dead_lettered() {
    let link = Proxy::to(&Options::default().database_url).await.unwrap();
    let mut site = site_behind(&link).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.stop_workers().await;
    let motd = json!({ "guild_id": guild_id, "motd": "waits" });
    let accepted = mira.post_with_preference("/guild/change-motd", &motd, "respond-async").await;
    link.refuse();
    site.start_workers();
    // The length of the outage: long enough to dead-letter a command that fails for a reason of its own.
    sleep(Duration::from_secs(5)).await;
    link.restore();
    let state = wait_until_completed(&mira, &accepted.body["operation_id"]).await;
    assert_eq!(state["result"]["motd"], "waits");
    site.finish().await;
}

/// As a restarted server does. The worker keeps the connection of its last transaction.
#[tokio::test(flavor = "multi_thread")]
async fn closed_connections_are_replaced() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    for idle in [Duration::ZERO, Duration::from_secs(2)] {
        site.end_connections_of_workers().await;
        sleep(idle).await;
        mira.post(CHANGE_MOTD, motd_body(guild_id, &format!("after {idle:?}"))).await.result();
    }
    site.finish().await;
}

/// The server moves to another machine, and the connections to the old one stay silent.
#[tokio::test(flavor = "multi_thread")]
async fn silent_connections_are_replaced() {
    let link = Proxy::to(&Options::default().database_url).await.unwrap();
    let site = site_behind(&link).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    link.freeze();
    // When this request ends, the api and the workers wait for Postgres.
    let lost = json!({ "guild_id": guild_id, "motd": "lost" });
    send_once(&mira.request(Method::POST, "/guild/change-motd").json(&lost)).await;
    link.restore_for_new_connections();
    let motd = json!({ "guild_id": guild_id, "motd": "continues" });
    let is_applied = async || mira.post("/guild/change-motd", motd.clone()).await.status == 200;
    wait_until("a command is applied again", is_applied).await;
    site.finish().await;
}

/// Postgres ends a statement that takes too long. A silent connection never reports that.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_waits_for_silent_postgres_gets_a_response() {
    let link = Proxy::to(&Options::default().database_url).await.unwrap();
    let site = site_behind(&link).await;
    let (mira, _) = site.guild("Mira", "Night Watch").await;
    let mut lock_holder = db::begin(&site.database).await.unwrap();
    sqlx::query("lock table coin_accounts in access exclusive mode")
        .execute(&mut *lock_holder)
        .await
        .unwrap();
    let silence = async {
        wait_until("the request waits for the lock", async || a_statement_waits(&site).await).await;
        link.freeze();
    };
    let request = with_hang_limit("the request gets a response", mira.get("/accounts/me"));
    let (response, ()) = tokio::join!(request, silence);
    response.problem(503, "too_slow");
    drop(lock_holder);
    link.restore();
    site.finish().await;
}

/// A backup reads its tables for minutes. The statement of a migration that waits for it makes all later ones wait.
#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_waits_for_a_backup_does_not_stop_the_site() {
    let site = Site::start().await;
    site.execute("delete from _sqlx_migrations where version = 15").await;
    let mut backup = db::begin(&site.database).await.unwrap();
    sqlx::query("lock table jobs in access share mode").execute(&mut *backup).await.unwrap();

    let reads = async {
        wait_until("the migration waits for the table", async || a_statement_waits(&site).await).await;
        let read = sqlx::query("select from jobs").execute(&site.database);
        with_hang_limit("another transaction reads the table", read).await.unwrap();
        backup.commit().await.unwrap();
    };
    let migration = with_hang_limit("the migration ends", guildhall_workers::migrate(&site.servers, None));
    let (migrated, ()) = tokio::join!(migration, reads);
    migrated.unwrap();
    assert_eq!(site.visitor().get("/shop/offers").await.status, 200);
    site.finish().await;
}

/// Whether a statement of the site waits for a lock.
async fn a_statement_waits(site: &Site) -> bool {
    let waiting = "select count(*) from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'";
    let waiting: i64 =
        sqlx::query_scalar(waiting).bind(&site.servers.namespace).fetch_one(&site.database).await.unwrap();
    waiting > 0
}
