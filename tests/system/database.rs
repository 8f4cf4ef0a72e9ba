//! Connections to Postgres that are given up.

use std::{pin::pin, time::Duration};

use futures_util::FutureExt;
use guildhall_common::platform::db;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::{
    link::Link,
    support::{Options, Site},
};

/// As when it moves to another machine, and the old one says nothing any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_falls_silent_for_good_is_given_up_for_the_next() {
    let link = Link::to(&Options::default().database_url).await;
    let site = Site::with(Options { database_url: link.url.clone(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    link.freeze();
    // By then the api and the workers wait for it.
    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "lost" })).await;
    link.strand();
    let change = json!({ "guild_id": guild_id, "motd": "goes on" });
    let goes_on = async {
        while mira.post("/guild/change-motd", change.clone()).await.status != 200 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(30), goes_on).await.unwrap();
    site.finish().await;
}

/// The server ends a statement that takes too long; one that has fallen silent tells nobody.
#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_server_that_is_silent_is_answered() {
    let link = Link::to(&Options::default().database_url).await;
    let options = Options { database_url: link.url.clone(), command_wait: 1, ..Options::default() };
    let site = Site::with(options).await;
    let (mira, _) = site.guild("Mira", "Night Watch").await;
    let mut holder = db::begin(&site.database).await.unwrap();
    sqlx::query("lock table coin_accounts in access exclusive mode").execute(&mut *holder).await.unwrap();
    let silence = async {
        sleep(Duration::from_millis(300)).await;
        link.freeze();
    };
    let asked = timeout(Duration::from_secs(18), mira.get("/accounts/me"));
    let (answer, ()) = tokio::join!(asked, silence);
    let answer = answer.unwrap();
    assert_eq!((answer.status, &answer.body["code"]), (503, &json!("too_slow")));
    link.mend();
    site.finish().await;
}

/// Nothing must be left of it: what is written next on its connection would be in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_given_up_while_it_begins_is_none() {
    let link = Link::to(&Options::default().database_url).await;
    let (pool, others) =
        (db::pool(&link.url, 1, "given-up").unwrap(), db::pool(&link.url, 1, "test").unwrap());
    sqlx::query("select").execute(&pool).await.unwrap();
    // The connection is looked at first, so `BEGIN` is the second that goes out.
    for moment in 1..=3 {
        {
            let mut begin = pin!(db::begin(&pool).fuse());
            for _ in 1..moment {
                let _ = begin.as_mut().now_or_never();
                sleep(Duration::from_millis(20)).await;
            }
            // What goes out now is on its way when this is given up.
            link.freeze();
            let _ = timeout(Duration::from_millis(20), begin).await;
        }
        link.mend();
        let returned = async {
            while pool.num_idle() == 0 {
                sleep(Duration::from_millis(1)).await;
            }
        };
        timeout(Duration::from_secs(5), returned).await.unwrap();
        let state: String =
            sqlx::query_scalar("select state from pg_stat_activity where application_name = 'given-up'")
                .fetch_one(&others)
                .await
                .unwrap();
        assert_eq!(state, "idle", "given up at moment {moment}");
    }
}
