//! The job that samples the state of the site each minute, so that administrators see its last hour.

use std::{collections::HashMap, time::Duration};

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use tokio::time::timeout;

use crate::{
    app::App,
    engine::jobs::{Job, NextRun},
    site::queues,
};

/// The time to count the commands in the queues. Without RabbitMQ, a sample has no count.
const COUNT_TIMEOUT: Duration = Duration::from_secs(5);

/// Stores a sample. The lease of the job admits one worker at a time.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SampleHealth {}

impl Job for SampleHealth {
    const NAME: &'static str = "sample_health";
    const INTERVAL: Option<TimeDelta> = Some(TimeDelta::minutes(1));

    async fn run(&self, app: &App) -> anyhow::Result<NextRun> {
        let counted = timeout(COUNT_TIMEOUT, queues::waiting_messages(app))
            .await
            .map_err(anyhow::Error::from)
            .flatten();
        let waiting = match counted {
            Ok(queues) => Some(store_queue_lengths(app, &queues.into_iter().collect()).await?),
            Err(error) => {
                tracing::debug!(error = format!("{error:#}"), "queues not counted");
                None
            }
        };
        store_configured_providers(app).await?;
        sqlx::query!(
            "insert into health_samples (
                 sampled_at, waiting_commands, completed_commands, longest_wait_seconds, longest_age_seconds, workers,
                 present_game_servers, is_cache_reachable, unreachable_banks, dead_letters, parked_notifications,
                 parked_deliveries, parked_mails, delayed_mails, failing_jobs)
             select date_trunc('minute', now()), $1,
                    (select count(*) from (
                         select from operations
                         where applied_at >= date_trunc('minute', now()) - interval '1 minute'
                           and applied_at < date_trunc('minute', now()) limit 100000) as counted),
                    longest_wait_seconds, longest_age_seconds, workers, present_game_servers, $2,
                    (select count(*) from payment_progress
                     where is_configured and reconciled_to < now() - interval '5 minutes'),
                    dead_letters, parked_notifications, parked_deliveries, parked_mails, delayed_mails, failing_jobs
             from health_counts
             on conflict (sampled_at) do nothing",
            waiting,
            app.cache.is_connected(),
        )
        .execute(&app.database)
        .await?;
        sqlx::query!("delete from health_samples where sampled_at < now() - interval '6 hours'")
            .execute(&app.database)
            .await?;
        Ok(NextRun::Done)
    }
}

/// Stores which providers are configured: one that was removed is not unreachable.
async fn store_configured_providers(app: &App) -> sqlx::Result<()> {
    let configured: Vec<String> =
        app.services.providers.all().into_iter().map(|(provider, _)| provider.name().to_owned()).collect();
    sqlx::query!(
        "update payment_progress set is_configured = not is_configured
         where is_configured <> (provider = any($1::text[]))",
        &configured,
    )
    .execute(&app.database)
    .await?;
    Ok(())
}

/// Stores the number of waiting commands of each partition, and returns the sum.
async fn store_queue_lengths(app: &App, lengths: &HashMap<String, u32>) -> sqlx::Result<i32> {
    let partitions = sqlx::query!("select domain, number from partitions where not retired");
    let partitions = partitions.fetch_all(&app.database).await?;
    let (mut domains, mut numbers, mut waiting) = (vec![], vec![], vec![]);
    for partition in partitions {
        let queue =
            u16::try_from(partition.number).map(|number| app.topology.partition(&partition.domain, number));
        if let Some(length) = queue.ok().and_then(|queue| lengths.get(&queue)) {
            domains.push(partition.domain);
            numbers.push(partition.number);
            waiting.push(i32::try_from(*length).unwrap_or(i32::MAX));
        }
    }
    sqlx::query!(
        "update partitions set waiting = counted.waiting
         from unnest($1::text[], $2::integer[], $3::integer[]) as counted (domain, number, waiting)
         where partitions.domain = counted.domain and partitions.number = counted.number
           and partitions.waiting is distinct from counted.waiting",
        &domains,
        &numbers,
        &waiting,
    )
    .execute(&app.database)
    .await?;
    Ok(waiting.into_iter().fold(0, i32::saturating_add))
}
