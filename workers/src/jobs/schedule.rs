//! Scheduling of jobs.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, types::Json};

use crate::{engine::trail::Trail, jobs::job::Job};

/// Schedules a job. If it is already scheduled, it moves to the new time.
///
/// # Errors
/// Those of the database.
pub async fn schedule(database: &mut PgConnection, job: &Job, due_at: DateTime<Utc>) -> sqlx::Result<()> {
    schedule_all(database, std::slice::from_ref(job), due_at).await
}

/// Schedules many jobs in one statement.
///
/// # Errors
/// Those of the database.
pub(crate) async fn schedule_all(
    database: &mut PgConnection,
    jobs: &[Job],
    due_at: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "insert into jobs (job, due_at, trail, lane)
         select job, $2, $3, lane from unnest($1::jsonb[], $4::text[]) as jobs (job, lane) order by job
         on conflict (job) do update
         set due_at = excluded.due_at, attempts = 0, trail = coalesce(excluded.trail, jobs.trail)",
        &jobs.iter().map(Json).collect::<Vec<_>>() as _,
        due_at,
        Trail::current().map(Json) as _,
        &jobs.iter().map(Job::lane).collect::<Vec<_>>() as _,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// Schedules the recurring jobs that are missing.
///
/// # Errors
/// Those of the database.
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
