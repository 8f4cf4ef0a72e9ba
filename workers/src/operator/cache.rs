//! Empties the cache of the site.

use std::time::Duration;

use anyhow::ensure;
use tokio::time::{Instant, sleep};

use crate::app::App;

const CONNECTION_TIMEOUT: Duration = Duration::from_secs(10);

/// Removes all cached responses of the site, and returns their number. Other sites of the same Redis keep theirs.
///
/// # Errors
/// Redis is unavailable. Some responses may be removed.
pub async fn flush(app: &App) -> anyhow::Result<u64> {
    let started = Instant::now();
    while !app.cache.is_connected() {
        ensure!(started.elapsed() < CONNECTION_TIMEOUT, "cannot connect to Redis");
        sleep(Duration::from_millis(20)).await;
    }
    Ok(app.cache.clear().await?)
}
