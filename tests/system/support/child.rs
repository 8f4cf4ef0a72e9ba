//! A scenario in a second process. A process has one log, and the first process runs many tests at the same time.

use std::{env, process::Command, time::Duration};

use guildhall_common::platform::{config::Logging, telemetry};
use tokio::{runtime::Runtime, time::timeout};

/// Set in the child process. Its value is the name of the test.
const CHILD: &str = "GUILDHALL_TEST_CHILD";

/// The whole scenario waits many times, so its limit is longer than that of one wait.
const SCENARIO_LIMIT: Duration = Duration::from_secs(900);

/// The standard output and the log of a child process.
pub(crate) struct Written {
    pub(crate) output: String,
    pub(crate) log: String,
}

/// Runs a scenario in a second process of this program, and returns its output and its log.
///
/// The second process runs the test of this name again. There the scenario runs, and the result is `None`: the test ends.
pub(crate) fn run_in_child(
    test: &str,
    logging: &Logging,
    scenario: impl Future<Output = ()>,
) -> Option<Written> {
    if env::var(CHILD).is_ok_and(|name| name == test) {
        let _log = telemetry::init_logging(logging, "info").unwrap();
        Runtime::new().unwrap().block_on(async { timeout(SCENARIO_LIMIT, scenario).await.unwrap() });
        return None;
    }
    let mut child = Command::new(env::current_exe().unwrap());
    let finished = child.args(["--exact", test, "--nocapture"]).env(CHILD, test).output().unwrap();
    let [output, log] = [finished.stdout, finished.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(finished.status.success(), "{output}{log}");
    Some(Written { output, log })
}
