//! Logs and metrics.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::{
    Layer,
    filter::{ParseError, Targets},
    fmt,
    layer::SubscriberExt,
    registry,
    util::SubscriberInitExt,
};

use super::{
    config::{LogFormat, Logging},
    log_buffer::LogBuffer,
};

pub use super::log_buffer::LogGuard;

/// Histogram buckets in seconds, from a cache hit to a request that timed out.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// lapin logs each error of a channel, also an expected one, as when Guildhall asks for a queue that does not exist. It returns them, too,
/// and Guildhall logs the others.
const LIBRARY_FILTER: &str = "lapin::channel=off";

/// Starts logging to standard error, until the guard is dropped. Without a filter in the settings, `default_filter` applies.
///
/// # Errors
/// The filter is invalid, or logging was already started.
pub fn init_logging(config: &Logging, default_filter: &str) -> anyhow::Result<LogGuard> {
    let filter = config.log.as_deref().unwrap_or(default_filter);
    let filter = parse_filter(filter).context("GUILDHALL_LOG is invalid")?;
    let (buffer, guard) = LogBuffer::start(|lines| io::stderr().write_all(lines))?;
    let lines = fmt::layer().with_writer(buffer).with_ansi(io::stderr().is_terminal());
    let lines = match config.log_format {
        LogFormat::Text => lines.boxed(),
        // The list of spans contains the current span.
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(false).boxed(),
    };
    registry().with(lines).with(filter).try_init().context("cannot start logging")?;
    Ok(guard)
}

/// A later directive replaces an earlier one for the same target, so the settings can change [`LIBRARY_FILTER`].
fn parse_filter(filter: &str) -> Result<Targets, ParseError> {
    format!("{LIBRARY_FILTER},{filter}").parse()
}

/// Starts collecting metrics. The handle renders them in the text format of Prometheus.
///
/// # Errors
/// Collecting was already started.
pub fn init_metrics() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), BUCKETS)?
        .install_recorder()
        .context("cannot start the metrics")?;
    let upkeep = handle.clone();
    // Without this upkeep, samples use memory until the next scrape.
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(5)).await;
            upkeep.run_upkeep();
        }
    });
    Ok(handle)
}

/// Selects the cryptography for TLS. The libraries bring two implementations, and all must use the same one.
pub fn init_tls() {
    // It fails only if a provider was already selected.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::*;

    #[test]
    fn lapin_logs_no_errors_of_channels_unless_a_setting_asks_for_them() {
        let is_logged = |filter, target| parse_filter(filter).unwrap().would_enable(target, &Level::ERROR);
        assert!(!is_logged("info", "lapin::channel"));
        assert!(is_logged("info", "lapin::io_loop"));
        assert!(is_logged("info,lapin::channel=error", "lapin::channel"));
        assert!(parse_filter("info,guildhall=loud").is_err());
    }
}
