//! What goes wrong with Redis.

use std::time::Duration;

use tokio::time::sleep;

use crate::stack::Stack;

pub(super) async fn close() -> anyhow::Result<()> {
    ask(&["client", "kill", "type", "normal"]).await
}

pub(super) async fn flush() -> anyhow::Result<()> {
    ask(&["flushall"]).await
}

pub(super) async fn evict(lasts: Duration) -> anyhow::Result<()> {
    // An empty Redis takes as much.
    ask(&["config", "set", "maxmemory", "1mb"]).await?;
    sleep(lasts).await;
    ask(&["config", "set", "maxmemory", "256mb"]).await
}

async fn ask(command: &[&str]) -> anyhow::Result<()> {
    let url = Stack::setting("GUILDHALL_REDIS_URL")?;
    Stack::run("redis-cli", &[&["-u", url.as_str(), "--no-auth-warning"], command].concat()).await.map(drop)
}
