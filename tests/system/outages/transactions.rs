//! A transaction that is abandoned while it begins.

use std::{pin::pin, time::Duration};

use futures_util::FutureExt;
use guildhall_common::platform::db;
use guildhall_testkit::proxy::Proxy;
use tokio::time::{sleep, timeout};

use crate::support::{options::Options, wait::wait_until};

/// Long enough for one message to go out and come back.
const MOMENT: Duration = Duration::from_millis(20);

/// The next user of the connection would write into an open transaction, which is rolled back later.
#[tokio::test(flavor = "multi_thread")]
async fn a_transaction_that_is_abandoned_while_it_begins_leaves_no_open_transaction() {
    let link = Proxy::to(&Options::default().database_url).await.unwrap();
    let name = format!("abandoned-{}", uuid::Uuid::now_v7().simple());
    let (pool, observer) = (db::pool(&link.url, 1, &name).unwrap(), db::pool(&link.url, 1, "test").unwrap());
    let state = async || -> String {
        let state = sqlx::query_scalar("select state from pg_stat_activity where application_name = $1");
        let state = state.bind(&name).fetch_one(&observer).await;
        state
            .unwrap_or_else(|error| panic!("Postgres ended the connection and its open transaction: {error}"))
    };
    sqlx::query("select").execute(&pool).await.unwrap();
    // `BEGIN` is the first message, or the second if the connection was idle for so long that the pool tests it.
    for moment in 1..=3 {
        {
            let mut begin = pin!(db::begin(&pool).fuse());
            for _ in 1..moment {
                let _ = begin.as_mut().now_or_never();
                sleep(MOMENT).await;
            }
            // The message of this moment is on its way when the transaction is abandoned.
            link.freeze();
            let _ = timeout(MOMENT, begin).await;
        }
        link.restore();
        // On a slow machine the pool may still begin and end the transaction. One that was left open stays open.
        let is_returned = async || pool.num_idle() > 0 && state().await == "idle";
        wait_until(&format!("no transaction is open (moment {moment})"), is_returned).await;
    }
}
