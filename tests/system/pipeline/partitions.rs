//! Partitions: which worker processes which queue, and what happens when that changes.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{StreamExt, stream};
use guildhall_common::{
    contract::partition_key::PartitionKey,
    platform::{config::ServerSettings, db},
};
use guildhall_testkit::proxy::Proxy;
use guildhall_workers::{App, site::queues};
use http::Method;
use secrecy::ExposeSecret;
use sqlx::{PgPool, query_scalar};
use tokio::time::sleep;

use crate::support::{
    client::{Client, send},
    motd::{CHANGE_MOTD, motd_body},
    options::Options,
    site::Site,
    wait::{wait_for, wait_until},
};

const GUILDS: usize = 12;

/// The number of connections that wait for a lock.
const WAITING: &str =
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/// The numbers of partitions that living workers have, in ascending order.
async fn leased(database: &PgPool) -> Vec<i64> {
    query_scalar(
        "select count(partitions.worker_id) from workers left join partitions using (worker_id)
         where alive_until > now() group by worker_id order by 1",
    )
    .fetch_all(database)
    .await
    .unwrap()
}

async fn guilds(site: &Site) -> Vec<(Client, i64)> {
    let mut guilds = vec![];
    for letter in ('a'..).take(GUILDS) {
        guilds.push(site.guild(&format!("Leader {letter}"), &format!("Guild {letter}")).await);
    }
    guilds
}

/// Sends changes to all guilds at the same time, and returns when each is accepted.
async fn change_all(guilds: &[(Client, i64)], rounds: usize) {
    let changes = (0..rounds).flat_map(|round| guilds.iter().map(move |guild| (round, guild)));
    let sent = stream::iter(changes).map(|(round, (leader, guild_id))| {
        let body = motd_body(*guild_id, &format!("Round {round}"));
        async move {
            wait_for("the command is accepted", async || {
                let request = leader.request(Method::POST, CHANGE_MOTD).json(&body);
                let response = send(request.header("Prefer", "respond-async")).await;
                // On a slow machine, a command can wait for the publisher for too long. Then it is not accepted.
                let detail = response.body["detail"].as_str().unwrap_or_default();
                let is_late = response.status == 503 && detail.starts_with("The command was not accepted");
                (!is_late).then_some(response)
            })
            .await
        }
    });
    let responses: Vec<_> = sent.buffer_unordered(16).collect().await;
    assert!(responses.iter().all(|response| response.status == 202), "{responses:?}");
}

async fn wait_for_changes(site: &Site, count: usize) {
    let applied =
        "select count(*) from operations where command = 'guild.change_motd' and outcome ? 'applied'";
    wait_until("each change is applied once", async || site.count(applied).await == count as i64).await;
}

async fn start(partitions: u16) -> Site {
    Site::start_with(Options { partitions, ..Options::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn partitions_move_when_workers_join_and_leave() {
    let site = start(3).await;
    // Four partitions of each of the five domains with several, and the ones of game servers, of mails and of the site.
    wait_until("the first worker has all", async || leased(&site.database).await == [23]).await;
    let guilds = guilds(&site).await;
    let second: App = site.another_app();
    let second_task = tokio::spawn(second.clone().work());
    wait_until("each has its share", async || leased(&site.database).await == [11, 12]).await;
    change_all(&guilds, 5).await;
    second.stop.cancel();
    second_task.await.unwrap();
    wait_until("the first worker has all again", async || leased(&site.database).await == [23]).await;
    change_all(&guilds, 5).await;
    wait_for_changes(&site, 10 * GUILDS).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn partitions_move_from_a_worker_that_loses_postgres_or_rabbitmq() {
    let site = start(3).await;
    let guilds = guilds(&site).await;
    let database = Proxy::to(site.servers.database_url.expose_secret()).await.unwrap();
    let broker = Proxy::to(site.servers.amqp_url.expose_secret()).await.unwrap();
    let second = site.another_app_on(&ServerSettings {
        database_url: database.url.clone().into(),
        amqp_url: broker.url.clone().into(),
        ..site.servers.clone()
    });
    let second_task = tokio::spawn(second.clone().work());
    for (round, (link, fail)) in
        [(&database, Proxy::freeze as fn(&Proxy)), (&broker, Proxy::refuse)].into_iter().enumerate()
    {
        wait_until("each has its share", async || leased(&site.database).await == [11, 12]).await;
        fail(link);
        change_all(&guilds, 1).await;
        wait_for_changes(&site, (round + 1) * GUILDS).await;
        wait_until("the first worker has all", async || leased(&site.database).await == [23]).await;
        link.restore();
    }
    wait_until("each has its share again", async || leased(&site.database).await == [11, 12]).await;
    second.stop.cancel();
    second_task.await.unwrap();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_number_of_partitions_grows_with_the_workers() {
    let site = start(1).await;
    let guilds = guilds(&site).await;
    let second: App = site.another_app();
    let second_task = tokio::spawn(second.clone().work());
    let number = "select max(number)::bigint from partitions where domain = 'guild' and not retired";
    let mut rounds = 0;
    wait_for("each worker can have a partition", async || {
        change_all(&guilds, 1).await;
        rounds += 1;
        sleep(Duration::from_millis(200)).await;
        (site.count(number).await == 2).then_some(())
    })
    .await;
    wait_until("each has its share", async || leased(&site.database).await == [9, 9]).await;
    change_all(&guilds, 5).await;
    wait_for_changes(&site, (rounds + 5) * GUILDS).await;
    second.stop.cancel();
    second_task.await.unwrap();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_committed_under_a_lost_lease() {
    let site = start(2).await;
    let (leader, guild_id) = site.guild("Mira", "Night Watch").await;
    let mut transaction = db::begin(&site.database).await.unwrap();
    sqlx::query("select from guilds where guild_id = $1 for update")
        .bind(guild_id)
        .execute(&mut *transaction)
        .await
        .unwrap();
    let body = motd_body(guild_id, "Once");
    let accepted = leader.post_with_preference(CHANGE_MOTD, &body, "respond-async").await;
    assert_eq!(accepted.status, 202);
    wait_until("the worker waits for the guild", async || site.count(WAITING).await > 0).await;
    // As another worker does that takes the leases meanwhile.
    site.execute("update partitions set epoch = epoch + 1").await;
    transaction.rollback().await.unwrap();
    // The message is delivered again, after the worker has taken the partition again.
    wait_for_changes(&site, 1).await;
    assert_eq!(site.count("select max(epoch) from partitions").await, 3);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_lease_stops_only_its_own_partition() {
    const PARTITIONS: u16 = 3;
    // Two connections allow one transaction at a time.
    let options = Options { partitions: PARTITIONS, database_connections: 2, ..Options::default() };
    let site = Site::start_with(options).await;
    let guilds = guilds(&site).await;
    let partition = |guild_id| PartitionKey::new("guild", guild_id).partition(PARTITIONS);
    // One guild of each partition.
    let by_partition: BTreeMap<_, _> =
        guilds.iter().map(|(leader, guild_id)| (partition(*guild_id), (leader, *guild_id))).collect();
    let [first, kept, lost] = [1, 2, 3];
    let mut transaction = db::begin(&site.database).await.unwrap();
    sqlx::query("select from guilds where guild_id = $1 for update")
        .bind(by_partition[&first].1)
        .execute(&mut *transaction)
        .await
        .unwrap();
    for number in [first, kept, lost] {
        let (leader, guild_id) = by_partition[&number];
        let body = motd_body(guild_id, "Once");
        let accepted = leader.post_with_preference(CHANGE_MOTD, &body, "respond-async").await;
        assert_eq!(accepted.status, 202);
        wait_until("the worker waits for the guild", async || site.count(WAITING).await > 0).await;
    }
    // The other two commands wait meanwhile for the only transaction, and then share the next one.
    sleep(Duration::from_secs(1)).await;
    sqlx::query("update partitions set epoch = epoch + 1 where domain = 'guild' and number = $1")
        .bind(i32::from(lost))
        .execute(&site.database)
        .await
        .unwrap();
    transaction.rollback().await.unwrap();
    wait_for_changes(&site, 3).await;
    for (number, expected) in [(first, 1), (kept, 1), (lost, 3)] {
        let epoch = query_scalar("select epoch from partitions where domain = 'guild' and number = $1");
        let epoch: i64 = epoch.bind(i32::from(number)).fetch_one(&site.database).await.unwrap();
        assert_eq!(epoch, expected, "partition {number}");
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_lost_when_the_number_of_partitions_changes() {
    let site = start(4).await;
    let guilds = guilds(&site).await;
    change_all(&guilds, 5).await;
    for count in [2, 5] {
        guildhall_workers::migrate(&site.servers, Some(count)).await.unwrap();
        change_all(&guilds, 5).await;
    }
    wait_for_changes(&site, 15 * GUILDS).await;
    let retired = "select count(*) from partitions where retired";
    assert_eq!(site.count(retired).await, 0);
    guildhall_workers::migrate(&site.servers, Some(1)).await.unwrap();
    assert_eq!(site.count(retired).await, 25);
    change_all(&guilds, 1).await;
    wait_for_changes(&site, 16 * GUILDS).await;
    site.workers.topology.set_partitions(5);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn partitions_that_a_restored_database_does_not_know_are_processed() {
    let mut site = start(4).await;
    let guilds = guilds(&site).await;
    site.stop_workers().await;
    change_all(&guilds, 1).await;
    // As a backup from the time with two partitions has it.
    site.execute("delete from partitions where number > 2").await;
    guildhall_workers::migrate(&site.servers, None).await.unwrap();
    assert_eq!(site.count("select count(*) from partitions where retired and number in (3, 4)").await, 10);
    assert_eq!(site.count("select count(*) from partitions").await, 28);
    let waiting: BTreeMap<_, _> =
        queues::waiting_messages(&site.another_app()).await.unwrap().into_iter().collect();
    assert_eq!(waiting.len(), 29, "{waiting:?}");
    for number in 1..=4 {
        let queue = site.workers.topology.partition("guild", number);
        assert!(waiting[&queue] > 0, "{queue}: {waiting:?}");
    }
    site.start_workers();
    wait_for_changes(&site, GUILDS).await;
    site.stop_workers().await;
    site.workers.topology.set_partitions(4);
    site.finish().await;
}
