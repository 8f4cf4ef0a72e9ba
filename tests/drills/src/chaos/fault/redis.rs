//! Faults of Redis.

use std::time::Duration;

use anyhow::Context;
use guildhall_testkit::environment::setting;
use rand::{RngExt, rngs::StdRng};
use redis::{Client, FromRedisValue, aio::MultiplexedConnection};
use tokio::time::sleep;

pub(super) async fn close() -> anyhow::Result<()> {
    run(&["CLIENT", "KILL", "TYPE", "normal"]).await
}

pub(in crate::chaos) async fn flush() -> anyhow::Result<()> {
    run(&["FLUSHALL"]).await
}

/// Redis gets four fifths of the memory that it uses, and evicts some entries; or 1 MiB, as much as an empty Redis uses.
pub(super) async fn evict(duration: Duration, random: &mut StdRng) -> anyhow::Result<()> {
    let memory = match random.random_bool(0.5) {
        true => used_memory().await? / 5 * 4,
        false => 1 << 20,
    };
    run::<()>(&["CONFIG", "SET", "maxmemory", &memory.to_string()]).await?;
    sleep(duration).await;
    run(&["CONFIG", "SET", "maxmemory", "256mb"]).await
}

/// The used memory in bytes.
async fn used_memory() -> anyhow::Result<u64> {
    let info: String = run(&["INFO", "memory"]).await?;
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:"));
    Ok(used.context("Redis does not show its memory")?.trim().parse()?)
}

async fn run<T: FromRedisValue>(words: &[&str]) -> anyhow::Result<T> {
    let (command, arguments) = words.split_first().context("no command")?;
    Ok(redis::cmd(command).arg(arguments).query_async(&mut connect().await?).await?)
}

pub(in crate::chaos) async fn connect() -> anyhow::Result<MultiplexedConnection> {
    let client = Client::open(setting("GUILDHALL_REDIS_URL")?)?;
    Ok(client.get_multiplexed_async_connection().await?)
}
