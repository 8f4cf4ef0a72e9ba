//! Reads with wrk, a load generator outside of the measured processes.

use std::time::Duration;

use anyhow::{Context, ensure};
use guildhall_testkit::processes;
use tokio::process::Command;

const CONNECTIONS: &str = "64";
const THREADS: &str = "2";

/// The time that wrk may take longer than its duration.
const GRACE: Duration = Duration::from_secs(30);

/// The figures of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WrkResult {
    pub(crate) requests: u64,
    pub(crate) per_second: f64,
    /// Connections that failed, and requests without a response within two seconds.
    pub(crate) socket_errors: u64,
    /// Responses with a status of 400 or more.
    pub(crate) error_responses: u64,
}

/// Sends one request again and again on 64 connections.
///
/// # Errors
/// When wrk fails or a connection does.
pub(crate) async fn run(url: &str, headers: &[(&str, &str)], seconds: u64) -> anyhow::Result<WrkResult> {
    let mut wrk = Command::new("wrk");
    wrk.args(["--threads", THREADS, "--connections", CONNECTIONS, "--duration", &format!("{seconds}s")]);
    for (name, value) in headers {
        wrk.args(["--header", &format!("{name}: {value}")]);
    }
    let output = processes::run(wrk.arg(url), Duration::from_secs(seconds) + GRACE).await?;
    let result = parse(&output)?;
    ensure!(result.socket_errors == 0, "{url}: {} connections failed or timed out", result.socket_errors);
    Ok(result)
}

/// Parses the output of wrk 4.
fn parse(output: &str) -> anyhow::Result<WrkResult> {
    let after = |label: &str| output.lines().find_map(|line| line.trim().strip_prefix(label));
    let requests = output
        .lines()
        .find_map(|line| line.trim().split_once(" requests in "))
        .context("wrk reports no requests")?
        .0;
    let per_second = after("Requests/sec:").context("wrk reports no rate")?;
    let socket_errors = after("Socket errors:").map_or(Ok(0), |counts| {
        counts
            .split(',')
            .map(|count| count.trim().rsplit(' ').next().unwrap_or_default().parse::<u64>())
            .sum()
    });
    Ok(WrkResult {
        requests: requests.parse()?,
        per_second: per_second.trim().parse()?,
        socket_errors: socket_errors.context("wrk reports socket errors in another form")?,
        error_responses: after("Non-2xx or 3xx responses:").map_or(Ok(0), |count| count.trim().parse())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "Running 1s test @ http://127.0.0.1:8080/guilds/1/20
  2 threads and 64 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     4.45ms    1.05ms  18.87ms   80.11%
    Req/Sec     7.25k   402.20     7.92k    75.00%
  14458 requests in 1.00s, 45.99MB read
Requests/sec:  14437.85
Transfer/sec:     45.93MB
";

    #[test]
    fn output_without_errors_is_parsed() {
        let expected =
            WrkResult { requests: 14458, per_second: 14437.85, socket_errors: 0, error_responses: 0 };
        assert_eq!(parse(OUTPUT).unwrap(), expected);
    }

    #[test]
    fn errors_are_counted() {
        let errors =
            "  Socket errors: connect 1, read 20, write 0, timeout 3\n  Non-2xx or 3xx responses: 14458\n";
        let result = parse(&OUTPUT.replace("Requests/sec", &format!("{errors}Requests/sec"))).unwrap();
        assert_eq!((result.socket_errors, result.error_responses), (24, 14458));
    }

    #[test]
    fn other_output_is_an_error() {
        assert!(parse("unable to connect to 127.0.0.1:1 Connection refused\n").is_err());
    }
}
