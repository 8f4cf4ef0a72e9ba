//! The state of the site, now and in the last hour. It is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::providers::Provider;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{
    auth::{Admin, RequireRole},
    http::{problem::Problem, read_response::ReadResponse},
    openapi::Tag,
    state::State,
};

/// The maximum number of failing jobs in a response.
const SHOWN_JOBS: i64 = 20;

pub(crate) struct Health {
    pub state: State,
}

/// The state of the site.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct SiteHealth {
    pub checked_at: DateTime<Utc>,
    /// The version of the api that responds.
    pub api_version: String,
    /// Whether this api publishes to RabbitMQ.
    pub queue_reachable: bool,
    /// Whether this api reads from Redis. Without it, reads come from Postgres.
    pub cache_reachable: bool,
    pub counts: HealthCounts,
    /// The banks with an API. A site without such a bank has none.
    pub banks: Vec<BankHealth>,
    /// The living workers.
    pub workers: Vec<WorkerHealth>,
    /// The partitions of all domains, each with its queue.
    pub partitions: Vec<PartitionHealth>,
    /// At most 20 jobs that have failed and are tried again, the last failure first.
    pub failing_jobs: Vec<FailingJob>,
    /// One sample for each minute of the last hour, oldest first.
    pub history: Vec<HealthSample>,
}

/// What needs attention. Each number is counted up to 10,000.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct HealthCounts {
    pub workers: i32,
    /// Partitions whose commands no worker applies.
    pub partitions_without_worker: i32,
    /// How long a new command waits until it is applied, in the slowest partition.
    pub longest_wait_seconds: i32,
    /// How long the oldest command in progress has waited.
    pub longest_age_seconds: i32,
    /// Game servers whose characters count as online.
    pub present_game_servers: i32,
    pub dead_letters: i32,
    pub parked_notifications: i32,
    pub parked_deliveries: i32,
    pub parked_mails: i32,
    pub waiting_mails: i32,
    /// Waiting mails that the mail server has refused or not accepted yet.
    pub delayed_mails: i32,
    pub failing_jobs: i32,
}

/// A bank with an API that the workers use.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct BankHealth {
    pub provider: Provider,
    /// Its list of received money was read for the last time up to here. Each minute is usual.
    pub read_up_to: DateTime<Utc>,
    /// Whether that is at most five minutes ago.
    pub reachable: bool,
}

/// A living worker.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct WorkerHealth {
    pub worker_id: Uuid,
    pub version: String,
    pub started_at: DateTime<Utc>,
    /// The number of partitions that it processes.
    pub partitions: i32,
}

/// A partition and its queue.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct PartitionHealth {
    pub domain: String,
    pub number: i32,
    /// Whether nothing is published to it any more.
    pub retired: bool,
    /// The living worker that applies its commands. Missing if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker_id: Option<Uuid>,
    /// The commands in its queue at the last sample. Missing: no sample has counted them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<i32>,
    /// How long a new command waits until it is applied.
    pub wait_seconds: i32,
    /// How long the oldest command in progress has waited.
    pub age_seconds: i32,
}

/// A job that has failed and is tried again.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct FailingJob {
    pub job: String,
    pub error: String,
    pub failed_at: DateTime<Utc>,
    pub next_attempt_at: DateTime<Utc>,
}

/// The state of the site at a minute.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct HealthSample {
    pub sampled_at: DateTime<Utc>,
    /// The commands in all queues. Missing: RabbitMQ was not reachable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_commands: Option<i32>,
    /// The commands that had an outcome in the minute before, at most 100,000.
    pub completed_commands: i32,
    pub longest_wait_seconds: i32,
    pub longest_age_seconds: i32,
    pub workers: i32,
    pub present_game_servers: i32,
    pub cache_reachable: bool,
    /// The banks whose lists could not be read for five minutes.
    pub unreachable_banks: i32,
    pub dead_letters: i32,
    pub parked_notifications: i32,
    pub parked_deliveries: i32,
    pub parked_mails: i32,
    pub delayed_mails: i32,
    pub failing_jobs: i32,
}

async fn counts(database: &PgPool) -> sqlx::Result<HealthCounts> {
    sqlx::query_as!(
        HealthCounts,
        r#"select workers as "workers!", partitions_without_worker as "partitions_without_worker!",
                  longest_wait_seconds as "longest_wait_seconds!", longest_age_seconds as "longest_age_seconds!",
                  present_game_servers as "present_game_servers!", dead_letters as "dead_letters!",
                  parked_notifications as "parked_notifications!", parked_deliveries as "parked_deliveries!",
                  parked_mails as "parked_mails!", waiting_mails as "waiting_mails!",
                  delayed_mails as "delayed_mails!", failing_jobs as "failing_jobs!"
           from health_counts"#
    )
    .fetch_one(database)
    .await
}

async fn banks(database: &PgPool) -> sqlx::Result<Vec<BankHealth>> {
    sqlx::query_as!(
        BankHealth,
        r#"select provider as "provider: Provider", reconciled_to as read_up_to,
                  reconciled_to >= now() - interval '5 minutes' as "reachable!"
           from payment_progress where is_configured order by provider"#
    )
    .fetch_all(database)
    .await
}

async fn workers(database: &PgPool) -> sqlx::Result<Vec<WorkerHealth>> {
    sqlx::query_as!(
        WorkerHealth,
        r#"select worker_id, version, started_at,
                  (select count(*)::integer from partitions where partitions.worker_id = workers.worker_id) as "partitions!"
           from workers where alive_until > clock_timestamp() order by started_at, worker_id"#
    )
    .fetch_all(database)
    .await
}

async fn partitions(database: &PgPool) -> sqlx::Result<Vec<PartitionHealth>> {
    sqlx::query_as!(
        PartitionHealth,
        r#"select domain, number, retired, workers.worker_id as "worker_id?", waiting, wait_seconds, age_seconds
           from partitions left join workers
                on workers.worker_id = partitions.worker_id and alive_until > clock_timestamp()
           order by domain, number"#
    )
    .fetch_all(database)
    .await
}

async fn failing_jobs(database: &PgPool) -> sqlx::Result<Vec<FailingJob>> {
    sqlx::query_as!(
        FailingJob,
        r#"select job ->> 'name' as "job!", coalesce(last_error, '') as "error!", failed_at as "failed_at!",
                  due_at as next_attempt_at
           from jobs where failed_at is not null order by failed_at desc limit $1"#,
        SHOWN_JOBS,
    )
    .fetch_all(database)
    .await
}

async fn history(database: &PgPool) -> sqlx::Result<Vec<HealthSample>> {
    sqlx::query_as!(
        HealthSample,
        r#"select sampled_at, waiting_commands, completed_commands, longest_wait_seconds, longest_age_seconds, workers,
                  present_game_servers, is_cache_reachable as cache_reachable, unreachable_banks, dead_letters,
                  parked_notifications, parked_deliveries, parked_mails, delayed_mails, failing_jobs
           from health_samples where sampled_at > now() - interval '1 hour' order by sampled_at"#
    )
    .fetch_all(database)
    .await
}

#[OpenApi(tag = "Tag::Administration")]
impl Health {
    /// Get the state of the site, now and in the last hour
    ///
    /// Servers, workers, queues, and what needs attention. A worker takes a sample each minute.
    #[oai(path = "/admin/health", method = "get", operation_id = "admin_health")]
    async fn health(&self, _caller: RequireRole<Admin>) -> Result<ReadResponse<SiteHealth>, Problem> {
        let State { database, cache, commands, .. } = &self.state;
        ReadResponse::private(&SiteHealth {
            checked_at: Utc::now(),
            api_version: env!("CARGO_PKG_VERSION").to_owned(),
            queue_reachable: commands.publisher.is_ready(),
            cache_reachable: cache.is_connected() && cache.lease().is_valid(),
            counts: counts(database).await?,
            banks: banks(database).await?,
            workers: workers(database).await?,
            partitions: partitions(database).await?,
            failing_jobs: failing_jobs(database).await?,
            history: history(database).await?,
        })
    }
}

guildhall_common::examples! {
    SiteHealth {
        "checked_at": "2030-01-31T12:00:30Z", "api_version": "0.4.0", "queue_reachable": true, "cache_reachable": true,
        "counts": {
            "workers": 1, "partitions_without_worker": 0, "longest_wait_seconds": 0, "longest_age_seconds": 0,
            "present_game_servers": 1, "dead_letters": 0, "parked_notifications": 2, "parked_deliveries": 0,
            "parked_mails": 0, "waiting_mails": 0, "delayed_mails": 0, "failing_jobs": 1
        },
        "banks": [{ "provider": "api_pix", "read_up_to": "2030-01-31T12:00:00Z", "reachable": true }],
        "workers": [{
            "worker_id": "0192f0c1-2a3b-4c4d-8e5f-60718293a4b5", "version": "0.4.0",
            "started_at": "2030-01-30T12:00:00Z", "partitions": 1
        }],
        "partitions": [{
            "domain": "guild", "number": 1, "retired": false, "worker_id": "0192f0c1-2a3b-4c4d-8e5f-60718293a4b5",
            "waiting": 0, "wait_seconds": 0, "age_seconds": 0
        }],
        "failing_jobs": [{
            "job": "reconcile", "error": "the bank did not respond in time", "failed_at": "2030-01-31T12:00:10Z",
            "next_attempt_at": "2030-01-31T12:00:40Z"
        }],
        "history": [{
            "sampled_at": "2030-01-31T12:00:00Z", "waiting_commands": 0, "completed_commands": 120,
            "longest_wait_seconds": 0, "longest_age_seconds": 0, "workers": 1, "present_game_servers": 1,
            "cache_reachable": true, "unreachable_banks": 0, "dead_letters": 0, "parked_notifications": 2,
            "parked_deliveries": 0, "parked_mails": 0, "delayed_mails": 0, "failing_jobs": 1
        }]
    }
}
