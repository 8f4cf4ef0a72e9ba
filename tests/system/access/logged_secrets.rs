//! No secret is ever logged, at any log level.

use guildhall_common::platform::config::{LogFormat, Logging};

use super::secret_scenario;
use crate::support::child::run_in_child;

/// Our own log at its most detailed level, and the debug log of libraries that the services use. The bank and the HTTP
/// client of the test are other programs.
const LOG: &str =
    "guildhall=trace,guildhall_sandbox=off,poem=debug,poem_openapi=debug,sqlx=debug,lapin=debug,redis=debug";

/// The log lines that show that the scenario used the secrets.
const EXPECTED: [(&str, [&str; 2]); 17] = [
    ("a log-in", ["\"/auth\"", "status_code=200"]),
    ("a wrong log-in", ["\"/auth\"", "status_code=401"]),
    ("an invalid log-in", ["\"/auth\"", "status_code=400"]),
    ("a refresh", ["\"/auth/refresh\"", "status_code=200"]),
    ("a refresh by cookie", ["\"/auth/cookie/refresh\"", "status_code=200"]),
    ("a log-out by cookie", ["\"/auth/cookie\"", "status_code=204"]),
    ("a token in the URL", ["\"/accounts/me\"", "status_code=401"]),
    ("a notification", ["\"/payments/instant/webhook\"", "status_code=200"]),
    ("a notification with a wrong secret", ["\"/payments/instant/webhook\"", "status_code=401"]),
    ("an api that loses Postgres", ["guildhall_api", "database request failed"]),
    ("a game server", ["\"/game/characters\"", "status_code=200"]),
    ("a purchase", ["\"/shop/purchase\"", "status_code=201"]),
    ("a bank that fails", ["guildhall_workers", "path=\"/cob/"]),
    ("workers that lose RabbitMQ", ["RabbitMQ connection lost", "role=\"commands\""]),
    ("an api that loses RabbitMQ", ["RabbitMQ connection lost", "role=\"replies\""]),
    ("a site that loses Redis", ["guildhall_common", "Redis connection lost"]),
    ("a query", ["sqlx", "select roles as"]),
];

#[test]
fn no_secret_is_ever_logged() {
    let name = "access::logged_secrets::no_secret_is_ever_logged";
    let logging = Logging { log: Some(LOG.to_owned()), log_format: LogFormat::Text };
    let Some(written) = run_in_child(name, &logging, secret_scenario::run()) else { return };
    let (output, log) = (written.output, written.log);
    for (event, words) in EXPECTED {
        let has_words = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(log.lines().any(has_words), "the log does not mention {event}:\n{log}");
    }
    let secrets: Vec<(String, String)> =
        output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(secrets.len() >= 20, "{output}");
    for (name, secret) in secrets {
        let line = log.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{name} is in the log: {secret}");
    }
}
