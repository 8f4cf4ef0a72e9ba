//! Work that is due at a time: what there is, and how it is claimed, done and tried again.

mod purge;

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::platform::db;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, types::Json};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};
use uuid::Uuid;

use crate::{app::App, news, payments};

/// Jobs at work at one time. They wait for others, mostly.
const AT_ONCE: usize = 32;

/// How often to look for what has become due, beside being told.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How long a job that was begun is left alone: if its worker dies, it begins again after that.
const LEASE: TimeDelta = TimeDelta::seconds(30);

/// A job that takes longer is given up and tried again.
const WORK_WITHIN: Duration = Duration::from_secs(20);

/// The longest pause before a job that failed is tried again, in seconds.
const LONGEST_PAUSE: i64 = 60;

/// What there is to do, with its wire name. A changed job is a new variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", rename_all = "snake_case")]
pub enum Job {
    /// The time of a post has come.
    AnnouncePost {
        post_id: i64,
    },
    PurgeOperations,
    PurgeInvites,
    PurgeSessions,
    /// Ask the provider for the charge, so that it can be paid.
    RegisterCharge {
        payment_id: Uuid,
    },
    /// Compare our books with the provider's from time to time, until the time to pay is over.
    WatchCharge {
        payment_id: Uuid,
    },
    /// Tell the provider that nobody shall pay it any more.
    CancelCharge {
        payment_id: Uuid,
    },
    /// A provider told us something.
    ReadNotification {
        notification_id: i64,
    },
    SendRefund {
        receipt_id: i64,
        refund_id: String,
    },
    /// Look for money that we were never told of.
    Reconcile,
    /// Look for money that went back and we were never told of.
    ReconcileReturns,
    PurgeNotifications,
}

impl Job {
    /// What recurs, and after how long.
    const RECURRING: [(Self, TimeDelta); 6] = [
        (Self::PurgeOperations, TimeDelta::hours(1)),
        (Self::PurgeInvites, TimeDelta::hours(1)),
        (Self::PurgeSessions, TimeDelta::hours(1)),
        (Self::PurgeNotifications, TimeDelta::hours(1)),
        (Self::Reconcile, TimeDelta::minutes(1)),
        (Self::ReconcileReturns, TimeDelta::hours(6)),
    ];

    fn recurs(&self) -> Next {
        let found = Self::RECURRING.iter().find(|(job, _)| job == self);
        found.map_or(Next::Done, |(_, pause)| Next::After(*pause))
    }
}

/// How a job goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// All is done; what recurs comes again at its time.
    Done,
    /// There is more of it to do.
    After(TimeDelta),
}

/// One attempt at a job.
pub(crate) struct Attempt {
    job_id: i64,
    job: Job,
    /// Counted from 1.
    pub(crate) number: i32,
    leased: DateTime<Utc>,
}

async fn run(site: &App, attempt: &Attempt) -> anyhow::Result<Next> {
    match &attempt.job {
        Job::AnnouncePost { post_id } => news::announce(site, *post_id).await,
        Job::PurgeOperations => purge::operations(site).await,
        Job::PurgeInvites => purge::invites(site).await,
        Job::PurgeSessions => purge::sessions(site).await,
        Job::RegisterCharge { payment_id } => payments::register(site, *payment_id).await,
        Job::WatchCharge { payment_id } => payments::watch(site, *payment_id).await,
        Job::CancelCharge { payment_id } => payments::tell_cancelled(site, *payment_id).await,
        Job::ReadNotification { notification_id } => {
            payments::read_notification(site, *notification_id).await
        }
        Job::SendRefund { receipt_id, refund_id } => {
            payments::send_refund(site, *receipt_id, refund_id, attempt.number).await
        }
        Job::Reconcile => payments::reconcile(site).await,
        Job::ReconcileReturns => payments::reconcile_returns(site).await,
        Job::PurgeNotifications => purge::notifications(site).await,
    }
}

/// Makes a job due; one that waits already is moved to the new time.
///
/// # Errors
/// The database's.
pub async fn schedule(database: &mut PgConnection, job: &Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into jobs (job, due_at) values ($1, $2)
         on conflict (job) do update set due_at = excluded.due_at, attempts = 0",
        Json(job) as _,
        due_at,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Makes many due at once.
///
/// # Errors
/// The database's.
pub(crate) async fn schedule_all(
    database: &mut PgConnection,
    jobs: &[Job],
    due_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into jobs (job, due_at) select job, $2 from unnest($1::jsonb[]) as jobs (job) order by job
         on conflict (job) do update set due_at = excluded.due_at, attempts = 0",
        &jobs.iter().map(Json).collect::<Vec<_>>() as _,
        due_at,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Makes sure that what recurs is scheduled at all.
pub(crate) async fn schedule_recurring(database: &mut PgConnection) -> sqlx::Result<()> {
    for (job, _) in Job::RECURRING {
        sqlx::query!(
            "insert into jobs (job, due_at) values ($1, now()) on conflict (job) do nothing",
            Json(&job) as _
        )
        .execute(&mut *database)
        .await?;
    }
    Ok(())
}

/// Does what is due until told to stop.
pub(crate) async fn work(site: App) {
    let mut at_work = JoinSet::new();
    while !site.stop.is_cancelled() {
        let free = AT_ONCE.saturating_sub(at_work.len());
        let claimed = if free > 0 { db::with_timeout(claim(&site.database, free)).await } else { Ok(vec![]) };
        let pause = match claimed {
            Ok(attempts) => {
                let more = free > 0 && attempts.len() == free;
                for attempt in attempts {
                    at_work.spawn(attempt_once(site.clone(), attempt));
                }
                if more { LOOK_EVERY / 50 } else { LOOK_EVERY }
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "the jobs cannot be read");
                LOOK_EVERY * 4
            }
        };
        tokio::select! {
            () = site.stop.cancelled() => {}
            () = site.due.notified() => {}
            _ = at_work.join_next(), if at_work.len() == AT_ONCE => {}
            () = sleep(pause) => {}
        }
        while at_work.try_join_next().is_some() {}
    }
    at_work.join_all().await;
}

/// Takes what is due, and leases it: nobody else does it meanwhile.
async fn claim(database: &PgPool, most: usize) -> sqlx::Result<Vec<Attempt>> {
    let claimed = sqlx::query!(
        // Somebody waits for a charge to be registered.
        "update jobs set due_at = now() + $2::interval, attempts = attempts + 1
         where job_id = any(array(
             select job_id from jobs where due_at <= now()
             order by job->>'name' = 'register_charge' desc, due_at limit $1 for update skip locked))
         returning job_id, job, attempts, due_at",
        most as i64,
        LEASE as _,
    )
    .fetch_all(database)
    .await?;
    let attempts = claimed.into_iter().filter_map(|row| match serde_json::from_value(row.job) {
        Ok(job) => Some(Attempt { job_id: row.job_id, job, number: row.attempts, leased: row.due_at }),
        Err(error) => {
            // Of a newer worker, perhaps, which will do it.
            tracing::error!(row.job_id, %error, "a job that this worker does not know");
            None
        }
    });
    Ok(attempts.collect())
}

async fn attempt_once(site: App, attempt: Attempt) {
    let done = timeout(WORK_WITHIN, run(&site, &attempt)).await.map_err(Into::into).flatten();
    let next = match done {
        Ok(Next::Done) => attempt.job.recurs(),
        Ok(more) => more,
        Err(error) => {
            let (job, attempt) = (&attempt.job, attempt.number);
            metrics::counter!("guildhall_jobs_failed_total").increment(1);
            tracing::warn!(?job, attempt, error = format!("{error:#}"), "a job failed");
            Next::After(pause(attempt))
        }
    };
    // If this fails, the lease runs out and the job begins again: each is made for that.
    if let Err(error) = db::with_timeout(finish(&site.database, &attempt, next)).await {
        tracing::warn!(job = ?attempt.job, error = format!("{error:#}"), "a job that was done cannot be put away");
    }
}

/// How long to wait after this attempt: twice as long each time.
pub(crate) fn pause(attempt: i32) -> TimeDelta {
    let exponent = attempt.clamp(1, 10) - 1;
    TimeDelta::seconds((1 << exponent).min(LONGEST_PAUSE))
}

/// Unless somebody has given it another time meanwhile: then there is something new to do.
async fn finish(database: &PgPool, attempt: &Attempt, next: Next) -> sqlx::Result<()> {
    match next {
        Next::Done => {
            sqlx::query!(
                "delete from jobs where job_id = $1 and due_at = $2",
                attempt.job_id,
                attempt.leased
            )
            .execute(database)
            .await?;
        }
        Next::After(pause) => {
            sqlx::query!(
                "update jobs set due_at = now() + $3::interval where job_id = $1 and due_at = $2",
                attempt.job_id,
                attempt.leased,
                pause as _,
            )
            .execute(database)
            .await?;
        }
    }
    Ok(())
}
