//! The client-side log of all requests and responses: one JSON line each in a file, and in memory the data that the
//! consistency checks need.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context;
use guildhall_testkit::{http::Response, percentiles::Percentiles};
use parking_lot::Mutex;
use serde_json::{Value, json};
use uuid::Uuid;

pub use crate::attempt::{Attempt, SentRequest};
use crate::{
    attempt::SUCCESS_TIME_LIMIT,
    session_token::{EarlyRefusal, SessionToken},
};

/// A machine counts as slow when the 99th percentile of undisturbed changes is above this.
const FAST_CHANGE: Duration = Duration::from_secs(1);

/// The outcome of an operation as its client received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedOutcome {
    /// The idempotency key of the request.
    pub key: Uuid,
    /// The result, or the code of the refusal.
    pub outcome: Result<Value, String>,
}

pub struct Journal {
    started: Instant,
    path: PathBuf,
    state: Mutex<JournalState>,
}

struct JournalState {
    file: BufWriter<File>,
    /// Attempts under way, ordered by their start.
    under_way: BTreeSet<(Duration, Uuid)>,
    /// Ordered by their end.
    attempts: Vec<Attempt>,
    /// The keys of ended attempts.
    keys: HashSet<Uuid>,
    /// The end of the last attempt that failed.
    last_failure: Option<Duration>,
    /// The latest start of a change that succeeded.
    last_change: Duration,
    outcomes: HashMap<Uuid, ReportedOutcome>,
    /// The keys of requests whose response named the operation of an earlier request.
    reused_operations: Vec<Uuid>,
    sent_twice: HashSet<Uuid>,
    early_refusals: Vec<EarlyRefusal>,
    public_paths: HashSet<String>,
    completed_requests: u64,
    /// 1 on a fast machine. Time limits are multiplied by it.
    slowness: f64,
}

impl Journal {
    /// Creates the file.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("{}", path.display()))?;
        let state = JournalState {
            file: BufWriter::new(file),
            under_way: BTreeSet::new(),
            attempts: vec![],
            keys: HashSet::new(),
            last_failure: None,
            last_change: Duration::ZERO,
            outcomes: HashMap::new(),
            reused_operations: vec![],
            sent_twice: HashSet::new(),
            early_refusals: vec![],
            public_paths: HashSet::new(),
            completed_requests: 0,
            slowness: 1.0,
        };
        Ok(Self { started: Instant::now(), path: path.to_owned(), state: Mutex::new(state) })
    }

    /// The time since the journal was created.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Appends a line. Faults and violations are written too.
    pub fn write(&self, line: &Value) {
        let mut line = line.clone();
        line["at_ms"] = json!(self.now().as_millis());
        // A full disk must not stop the drill. The line is lost, but the consistency checks use the data in memory.
        let _ = writeln!(self.state.lock().file, "{line}");
    }

    pub(crate) fn record_start(&self, key: Uuid, started: Instant) {
        self.state.lock().under_way.insert((started - self.started, key));
    }

    pub(crate) fn mark_as_sent_twice(&self, key: Uuid) {
        self.state.lock().sent_twice.insert(key);
    }

    pub(crate) fn record_end(&self, request: &SentRequest<'_>) {
        self.write(&request.to_line());
        let started = request.started - self.started;
        let mut state = self.state.lock();
        state.under_way.remove(&(started, request.key));
        let is_first = state.keys.insert(request.key);
        // The time is read under the lock, so that the attempts stay ordered by their end.
        let success_time_limit = SUCCESS_TIME_LIMIT.mul_f64(state.slowness);
        let attempt = Attempt::new(request, started, self.now(), is_first, success_time_limit);
        state.attempts.push(attempt);
        if request.is_public_read() && !state.public_paths.contains(request.path) {
            state.public_paths.insert(request.path.to_owned());
        }
        if !attempt.is_success {
            state.last_failure = Some(attempt.ended);
        } else if attempt.is_first_change {
            state.last_change = state.last_change.max(attempt.started);
        }
    }

    /// Records the refusal of a token if it comes before its end.
    pub(crate) fn record_refused_token(&self, token: &SessionToken, account: &str, key: Uuid, sent: Instant) {
        let refusal = token.early_refusal(account, key, sent, self.started);
        self.state.lock().early_refusals.extend(refusal);
    }

    pub(crate) fn record_outcome(&self, key: Uuid, response: &Response) {
        self.write(&json!({ "key": key, "status": response.status, "response": response.body }));
        let mut state = self.state.lock();
        state.completed_requests += 1;
        let Some(operation_id) = response.body["operation_id"].as_str().and_then(|id| id.parse().ok()) else {
            return;
        };
        let outcome = match response.is_success() {
            true => Ok(response.body["result"].clone()),
            false => Err(response.code().to_owned()),
        };
        if state.outcomes.insert(operation_id, ReportedOutcome { key, outcome }).is_some() {
            state.reused_operations.push(key);
        }
    }

    /// Measures the slowness of this machine: from the changes that started after this time, while no fault was active.
    pub fn calibrate(&self, from: Duration) -> f64 {
        let mut state = self.state.lock();
        let changes = state.attempts.iter().filter(|it| it.is_first_change && it.started >= from);
        let durations: Percentiles<Duration> = changes.map(Attempt::duration).collect();
        let p99 = durations.percentile(99).unwrap_or_default();
        state.slowness = p99.div_duration_f64(FAST_CHANGE).max(1.0);
        state.slowness
    }

    /// The factor of all time limits: 1 on a fast machine.
    #[must_use]
    pub fn slowness(&self) -> f64 {
        self.state.lock().slowness
    }

    /// All ended attempts, ordered by their end.
    #[must_use]
    pub fn attempts(&self) -> Vec<Attempt> {
        self.state.lock().attempts.clone()
    }

    /// The end of the last attempt that failed.
    #[must_use]
    pub fn last_failure(&self) -> Option<Duration> {
        self.state.lock().last_failure
    }

    /// The latest start of a change that succeeded.
    #[must_use]
    pub fn last_change(&self) -> Duration {
        self.state.lock().last_change
    }

    /// The age of the oldest attempt under way among those that started after this time.
    #[must_use]
    pub fn longest_wait(&self, started_after: Duration) -> Duration {
        let state = self.state.lock();
        let first = state.under_way.range((started_after, Uuid::nil())..).next();
        first.map_or(Duration::ZERO, |(started, _)| self.now() - *started)
    }

    /// Attempts with server errors that ended in this period, except the first `503` of each sent request: a client
    /// repeats that one and succeeds.
    #[must_use]
    pub fn visible_errors(&self, from: Duration, until: Duration) -> Vec<Attempt> {
        let (attempts, sent_twice) = (self.attempts(), self.state.lock().sent_twice.clone());
        let in_period = attempts.iter().filter(|attempt| (from..until).contains(&attempt.ended));
        let mut errors_of_key = HashMap::new();
        in_period
            .filter(|attempt| attempt.is_server_error())
            .filter(|attempt| {
                let count = errors_of_key.entry(attempt.key).or_insert(0);
                *count += 1;
                attempt.status != Some(503) || *count > 1 + usize::from(sent_twice.contains(&attempt.key))
            })
            .copied()
            .collect()
    }

    /// The outcome of each operation, by its id.
    #[must_use]
    pub fn outcomes(&self) -> HashMap<Uuid, ReportedOutcome> {
        self.state.lock().outcomes.clone()
    }

    /// The keys of requests whose response named the operation of an earlier request.
    #[must_use]
    pub fn reused_operations(&self) -> Vec<Uuid> {
        self.state.lock().reused_operations.clone()
    }

    /// The refusals of tokens before their end.
    pub(crate) fn early_refusals(&self) -> Vec<EarlyRefusal> {
        self.state.lock().early_refusals.clone()
    }

    /// All paths that were read without a token.
    #[must_use]
    pub fn public_paths(&self) -> HashSet<String> {
        self.state.lock().public_paths.clone()
    }

    /// The operation of the request with this key.
    #[must_use]
    pub fn operation_of(&self, key: Uuid) -> Option<Uuid> {
        self.state.lock().outcomes.iter().find(|(_, reported)| reported.key == key).map(|(id, _)| *id)
    }

    /// The number of requests with a final response.
    #[must_use]
    pub fn completed_requests(&self) -> u64 {
        self.state.lock().completed_requests
    }

    /// The lines that contain any of these words.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn lines_with(&self, words: &[&str]) -> anyhow::Result<Vec<String>> {
        self.state.lock().file.flush()?;
        let file = BufReader::new(File::open(&self.path)?);
        let lines = file
            .lines()
            .filter(|line| line.as_ref().map_or(true, |line| words.iter().any(|word| line.contains(word))));
        Ok(lines.collect::<Result<_, _>>()?)
    }
}
