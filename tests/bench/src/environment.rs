//! The date, the versions and the machine of a run: figures mean nothing without them.

use std::{fmt, fs, thread};

use chrono::Utc;
use guildhall_testkit::environment::setting;
use serde::Serialize;
use sqlx::PgPool;

#[derive(Debug, Serialize)]
pub(crate) struct Environment {
    date: String,
    version: &'static str,
    commit: String,
    postgres: String,
    rabbitmq: String,
    redis: String,
    processor: String,
    cores: usize,
    /// Seconds of each case in each round.
    seconds: u64,
    /// Whether commands have an `Idempotency-Key`.
    has_keys: bool,
}

impl Environment {
    /// # Errors
    /// When a server does not respond.
    pub(crate) async fn read(database: &PgPool, seconds: u64, has_keys: bool) -> anyhow::Result<Self> {
        let redis = redis::Client::open(setting("GUILDHALL_REDIS_URL")?)?;
        let mut redis = redis.get_multiplexed_async_connection().await?;
        let info: String = redis::cmd("INFO").arg("server").query_async(&mut redis).await?;
        let redis = info.lines().find_map(|line| line.strip_prefix("redis_version:")).unwrap_or("unknown");
        let postgres: String = sqlx::query_scalar("show server_version").fetch_one(database).await?;
        Ok(Self {
            date: Utc::now().format("%Y-%m-%d").to_string(),
            version: env!("CARGO_PKG_VERSION"),
            commit: setting("BENCH_COMMIT")?,
            postgres: postgres.split(' ').next().unwrap_or_default().to_owned(),
            rabbitmq: setting("BENCH_RABBITMQ")?,
            redis: redis.trim().to_owned(),
            processor: processor().unwrap_or_else(|| "unknown processor".to_owned()),
            cores: thread::available_parallelism()?.get(),
            seconds,
            has_keys,
        })
    }
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Guildhall {} ({}), {}, Postgres {}, RabbitMQ {}, Redis {}, {} × {}, {} s per case and round, commands {} \
             an Idempotency-Key",
            self.version,
            self.commit,
            self.date,
            self.postgres,
            self.rabbitmq,
            self.redis,
            self.cores,
            self.processor,
            self.seconds,
            if self.has_keys { "with" } else { "without" },
        )
    }
}
