//! Payments: QR codes from the fake bank, and notifications.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::ensure;
use guildhall_testkit::environment::setting;
use http::Method;
use serde_json::json;
use sqlx::{AssertSqlSafe, PgPool};
use tokio::time::sleep;
use uuid::Uuid;

use crate::{
    case::{Case, CaseOptions, CaseResult},
    load::{Call, verify::verify},
    site::{BenchSite, Leader},
};

/// The number of open payments that an account may have.
const OPEN_PAYMENTS: usize = 20;

/// The time limit until all notifications are stored.
const STORE_TIME_LIMIT: Duration = Duration::from_secs(120);

/// Accounts request QR codes until each has as many open payments as it may have.
pub(super) async fn qr_codes(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let leaders: Arc<[Leader]> = site.leaders.as_slice().into();
    let next = AtomicUsize::new(0);
    let call = move |_, _| {
        let turn = next.fetch_add(1, Ordering::Relaxed);
        let leader = &leaders[turn % leaders.len()];
        (turn < leaders.len() * OPEN_PAYMENTS).then(|| Call {
            method: Method::POST,
            path: "/payments/instant/qrcode".to_owned(),
            body: json!({ "coins": 250 }),
            token: Some(leader.token.clone()),
            is_async: false,
        })
    };
    let result = options.load(64).run(site.http.address(), call).await?;
    verify(site, Case::Qrcode.name(), &result.entries).await?;
    end_payments(&site.database).await?;
    Ok(CaseResult::of_load(&result, ["qrcode", "qrcode-p50", "qrcode-p99"]))
}

/// Cancels all payments and makes them old, so that the limits of their accounts count none of them. Their jobs are deleted:
/// they would ask the bank during other cases.
pub(super) async fn end_payments(database: &PgPool) -> sqlx::Result<()> {
    sqlx::query(
        "update payments set cancelled_at = coalesce(cancelled_at, now()), created_at = created_at - interval '2 days',
                             expires_at = expires_at - interval '2 days'
         where created_at > now() - interval '1 day'",
    )
    .execute(database)
    .await?;
    delete_jobs(database, "watch_charge").await
}

async fn delete_jobs(database: &PgPool, name: &'static str) -> sqlx::Result<()> {
    let query = format!("delete from jobs where job->>'name' = '{name}'");
    sqlx::query(AssertSqlSafe(query)).execute(database).await.map(drop)
}

/// A bank sends notifications of payments that do not exist. Each is on disk before its response, and stored once.
pub(super) async fn notifications(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let path = format!("/payments/instant/webhook?secret={}", setting("GUILDHALL_PIX_WEBHOOK_SECRET")?);
    let run = Uuid::new_v4().simple().to_string();
    let prefix = run[..12].to_uppercase();
    let reference = prefix.clone();
    let call = move |client: usize, number: usize| {
        let body = json!({ "pix": [{
            "endToEndId": format!("E{reference}{client:05}{number:014}"), "txid": format!("{reference}{client:06}{number:014}"),
            "valor": "25.00", "horario": "2030-01-01T00:00:00Z"
        }] });
        Some(Call { method: Method::POST, path: path.clone(), body, token: None, is_async: false })
    };
    let result = options.load(32).run(site.http.address(), call).await?;
    let failed = result.entries.iter().find(|entry| !entry.is_success());
    ensure!(failed.is_none(), "webhook: {failed:?}");
    let sent = result.entries.len();
    let stored = wait_until_stored(&site.database, &prefix, sent as i64).await?;
    ensure!(stored == sent as i64, "lost: {sent} notifications were confirmed, and {stored} are stored");
    end_notifications(&site.database).await?;
    Ok(CaseResult::of_load(&result, ["webhook", "webhook-p50", "webhook-p99"]))
}

async fn wait_until_stored(database: &PgPool, prefix: &str, expected: i64) -> sqlx::Result<i64> {
    let started = Instant::now();
    loop {
        let stored =
            sqlx::query_scalar("select count(*) from payment_notifications where reference like $1 || '%'")
                .bind(prefix)
                .fetch_one(database)
                .await?;
        if stored >= expected || started.elapsed() > STORE_TIME_LIMIT {
            return Ok(stored);
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Deletes the notifications and their jobs, which would ask the bank during other cases.
async fn end_notifications(database: &PgPool) -> sqlx::Result<()> {
    delete_jobs(database, "read_notification").await?;
    sqlx::query("delete from payment_notifications").execute(database).await?;
    delete_jobs(database, "read_notification").await
}
