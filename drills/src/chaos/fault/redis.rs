//! What goes wrong with Redis.

use std::time::Duration;

use anyhow::Context;
use rand::{RngExt, rngs::StdRng};
use redis::{Client, FromRedisValue, aio::MultiplexedConnection};
use tokio::time::sleep;

use crate::stack::Stack;

pub(super) async fn close() -> anyhow::Result<()> {
    ask(&["CLIENT", "KILL", "TYPE", "normal"]).await
}

pub(in crate::chaos) async fn flush() -> anyhow::Result<()> {
    ask(&["FLUSHALL"]).await
}

/// It has four fifths of what it needs, so that some of what is cached goes and some stays; or nothing to speak of: an
/// empty Redis takes as much.
pub(super) async fn evict(lasts: Duration, random: &mut StdRng) -> anyhow::Result<()> {
    let memory = match random.random_bool(0.5) {
        true => used().await? / 5 * 4,
        false => 1 << 20,
    };
    ask::<()>(&["CONFIG", "SET", "maxmemory", &memory.to_string()]).await?;
    sleep(lasts).await;
    ask(&["CONFIG", "SET", "maxmemory", "256mb"]).await
}

/// Bytes.
async fn used() -> anyhow::Result<u64> {
    let info: String = ask(&["INFO", "memory"]).await?;
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:"));
    Ok(used.context("Redis does not tell its memory")?.trim().parse()?)
}

async fn ask<T: FromRedisValue>(words: &[&str]) -> anyhow::Result<T> {
    let (command, arguments) = words.split_first().context("no command")?;
    Ok(redis::cmd(command).arg(arguments).query_async(&mut connect().await?).await?)
}

pub(in crate::chaos) async fn connect() -> anyhow::Result<MultiplexedConnection> {
    let client = Client::open(Stack::setting("GUILDHALL_REDIS_URL")?)?;
    Ok(client.get_multiplexed_async_connection().await?)
}
