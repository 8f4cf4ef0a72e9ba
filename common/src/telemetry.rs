//! Logs and metrics.

use std::{io::IsTerminal, time::Duration};

use anyhow::Context;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::{LogFormat, Logging};

/// Seconds; from a cache hit to a request that waited its time out.
const BUCKETS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Starts logging to standard error, what is asked for or else the usual.
///
/// # Errors
/// When the filter cannot be read, or logging was started before.
pub fn log(config: &Logging, usual: &str) -> anyhow::Result<()> {
    let filter =
        EnvFilter::try_new(config.log.as_deref().unwrap_or(usual)).context("what to log (GUILDHALL_LOG)")?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let started = match config.log_format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    };
    started.map_err(anyhow::Error::from_boxed).context("starting to log")
}

/// Starts collecting metrics; the handle renders them in Prometheus' text format.
///
/// # Errors
/// When collecting was started before.
pub fn metrics() -> anyhow::Result<PrometheusHandle> {
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), BUCKETS)?
        .install_recorder()
        .context("starting the metrics")?;
    let upkeep = handle.clone();
    // Samples pile up until they are sorted into their buckets, scraped or not.
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(Duration::from_secs(5)).await;
            upkeep.run_upkeep();
        }
    });
    Ok(handle)
}

/// Our libraries bring two implementations of TLS; all shall use the same.
pub fn tls() {
    // Fails only if it was done before.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
