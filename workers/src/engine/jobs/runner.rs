//! The runner: it claims due jobs by a lease, runs them, and retries those that fail.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::platform::{
    backoff::{Backoff, JOB_DELAY},
    db,
};
use sqlx::{PgPool, types::Json};
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    app::App,
    engine::{
        jobs::{
            job::NextRun,
            kinds::{AnyJob, JobKinds},
            lane::Lane,
        },
        trail::{Trail, run_job},
    },
};

/// How often to poll for due jobs. Notifications inside the process wake the runner earlier.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The delay before the next claim when there are more due jobs.
const NEXT_CLAIM: Duration = Duration::from_millis(10);

/// The time for which no other worker claims a claimed job. If its worker dies, the job runs again afterwards.
const LEASE: TimeDelta = TimeDelta::seconds(30);

/// The time limit of one attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(20);

/// One attempt at a job.
struct JobAttempt {
    job_id: i64,
    job: Box<dyn AnyJob>,
    trail: Option<Trail>,
    /// Counted from 1.
    number: i32,
    leased_until: DateTime<Utc>,
}

/// Runs the due jobs of a lane until the worker stops.
pub(crate) async fn run(app: App, kinds: Arc<JobKinds>, lane: Lane) {
    let (mut running, mut backoff) = (JoinSet::new(), Backoff::default());
    let mut due = app.due.subscribe();
    while !app.stop.is_cancelled() {
        due.mark_unchanged();
        let free = lane.max_running().saturating_sub(running.len());
        let claimed = if free > 0 {
            db::with_timeout(claim(&app.database, &kinds, lane, free)).await
        } else {
            Ok(vec![])
        };
        match claimed {
            Ok(attempts) => {
                backoff = Backoff::default();
                let has_more = free > 0 && attempts.len() == free;
                for attempt in attempts {
                    running.spawn(run_attempt(app.clone(), attempt));
                }
                let is_full = running.len() == lane.max_running();
                tokio::select! {
                    () = app.stop.cancelled() => {}
                    _ = due.changed() => {}
                    _ = running.join_next(), if is_full => {}
                    () = sleep(if has_more { NEXT_CLAIM } else { POLL_INTERVAL }) => {}
                }
            }
            Err(error) => {
                tracing::warn!(error = format!("{error:#}"), "due jobs not claimed");
                app.stop.run_until_cancelled(backoff.wait()).await;
            }
        }
        while running.try_join_next().is_some() {}
    }
    running.join_all().await;
}

/// Claims due jobs by moving their due time to the end of the lease.
async fn claim(
    database: &PgPool,
    kinds: &JobKinds,
    lane: Lane,
    limit: usize,
) -> sqlx::Result<Vec<JobAttempt>> {
    let claimed = sqlx::query!(
        r#"update jobs set due_at = now() + $2::interval, attempts = attempts + 1
           where job_id = any(array(
               select job_id from jobs where lane = $3 and due_at <= now()
               order by due_at limit $1 for update skip locked
           ))
           returning job_id, job, attempts, due_at, trail as "trail: Json<Trail>""#,
        limit as i64,
        LEASE as _,
        lane as _,
    )
    .fetch_all(database)
    .await?;
    let attempts = claimed.into_iter().filter_map(|row| match kinds.parse(row.job) {
        Ok(job) => Some(JobAttempt {
            job_id: row.job_id,
            job,
            trail: row.trail.map(|Json(trail)| trail),
            number: row.attempts,
            leased_until: row.due_at,
        }),
        Err(error) => {
            // It may be of a newer version, whose workers know it.
            tracing::error!(row.job_id, error = format!("{error:#}"), "unknown job skipped");
            None
        }
    });
    Ok(attempts.collect())
}

async fn run_attempt(app: App, attempt: JobAttempt) {
    let trail = attempt.trail.clone();
    run_job(trail, attempt.job.name(), async {
        let (next, failure) = match run_once(&app, &attempt).await {
            Ok(next) => {
                tracing::debug!(attempt = attempt.number, ?next, "job attempt completed");
                (if next == NextRun::Done { attempt.job.next_run() } else { next }, None)
            }
            Err(error) => {
                let error = format!("{error:#}");
                metrics::counter!("guildhall_jobs_failed_total").increment(1);
                tracing::warn!(job = %attempt.job.stored(), attempt = attempt.number, error, "job failed");
                (NextRun::After(JOB_DELAY.after(attempt.number)), Some(error))
            }
        };
        // If this fails, the job runs again after the lease. Every job allows that.
        let stored = store_result(&app.database, &attempt, next, failure.as_deref());
        if let Err(error) = db::with_timeout(stored).await {
            tracing::warn!(job = %attempt.job.stored(), error = format!("{error:#}"), "result of a job not stored");
        }
    })
    .await;
}

async fn run_once(app: &App, attempt: &JobAttempt) -> anyhow::Result<NextRun> {
    timeout(ATTEMPT_TIMEOUT, attempt.job.run(app)).await?
}

/// Deletes or moves the job, unless it was scheduled again meanwhile. Administrators see why it failed.
async fn store_result(
    database: &PgPool,
    attempt: &JobAttempt,
    next: NextRun,
    failure: Option<&str>,
) -> sqlx::Result<()> {
    match next {
        NextRun::Done => {
            sqlx::query!(
                "delete from jobs where job_id = $1 and due_at = $2",
                attempt.job_id,
                attempt.leased_until
            )
            .execute(database)
            .await?;
        }
        NextRun::After(delay) => {
            sqlx::query!(
                "update jobs set due_at = now() + $3::interval, last_error = left($4, 500),
                     failed_at = case when $4 is not null then now() end
                 where job_id = $1 and due_at = $2",
                attempt.job_id,
                attempt.leased_until,
                delay as _,
                failure.map(db::without_nul),
            )
            .execute(database)
            .await?;
        }
    }
    Ok(())
}
