//! What goes wrong with Redis.

use std::time::Duration;

use anyhow::Context;
use rand::{RngExt, rngs::StdRng};
use tokio::time::sleep;

use crate::stack::Stack;

pub(super) async fn close() -> anyhow::Result<()> {
    ask(&["client", "kill", "type", "normal"]).await.map(drop)
}

pub(super) async fn flush() -> anyhow::Result<()> {
    ask(&["flushall"]).await.map(drop)
}

/// It has four fifths of what it needs, so that some of what is cached goes and some stays; or nothing to speak of: an
/// empty Redis takes as much.
pub(super) async fn evict(lasts: Duration, random: &mut StdRng) -> anyhow::Result<()> {
    let memory = match random.random_bool(0.5) {
        true => used().await? / 5 * 4,
        false => 1 << 20,
    };
    ask(&["config", "set", "maxmemory", &memory.to_string()]).await?;
    sleep(lasts).await;
    ask(&["config", "set", "maxmemory", "256mb"]).await.map(drop)
}

/// Bytes.
async fn used() -> anyhow::Result<u64> {
    let info = ask(&["info", "memory"]).await?;
    let used = info.lines().find_map(|line| line.strip_prefix("used_memory:"));
    Ok(used.context("Redis does not tell its memory")?.trim().parse()?)
}

/// Answers what it prints.
async fn ask(command: &[&str]) -> anyhow::Result<String> {
    let url = Stack::setting("GUILDHALL_REDIS_URL")?;
    Stack::run("redis-cli", &[&["-u", url.as_str(), "--no-auth-warning"], command].concat()).await
}
