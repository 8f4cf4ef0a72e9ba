//! What the clients of a drill have asked, and what they were answered: a line each in a file, and in memory what
//! the books are compared with.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs::File,
    io::{BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Context;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::client::Answer;

/// A request as it was sent once.
pub struct Attempt<'a> {
    pub who: &'a str,
    pub key: Uuid,
    pub method: &'a Method,
    pub path: &'a str,
    pub body: &'a Value,
    pub began: Instant,
    /// The status, or why there is none.
    pub got: Result<u16, &'a str>,
    /// The answer does.
    pub names_operation: bool,
}

/// On a good day, nobody waits longer than was asked for. While Redis is away, a change takes the 2 s for which the cache is trusted.
const PROMPT: Duration = Duration::from_secs(3);

/// When an attempt was sent and when it ended, and whether it was answered as on a good day: in time, and with what it
/// came to.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    pub key: Uuid,
    pub sent: Duration,
    pub at: Duration,
    /// How long it asked the api to wait for something to answer with.
    pub wait: Duration,
    pub status: Option<u16>,
    pub well: bool,
    /// All of the site has taken part in it: it was to change something, was sent for the first time, and was applied or refused.
    pub change: bool,
}

impl Tried {
    #[must_use]
    pub fn took(&self) -> Duration {
        self.at - self.sent
    }
}

/// What an operation came to, as its client knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    pub key: Uuid,
    /// The result, or the code of the refusal.
    pub outcome: Result<Value, String>,
}

pub struct Journal {
    began: Instant,
    path: PathBuf,
    kept: Mutex<Kept>,
}

struct Kept {
    file: BufWriter<File>,
    /// Attempts that have not ended, by when they began.
    waiting: BTreeSet<(Duration, Uuid)>,
    tried: Vec<Tried>,
    /// Of those that have ended.
    keys: HashSet<Uuid>,
    /// When an attempt failed last.
    failed: Option<Duration>,
    /// When the latest change that succeeded was sent.
    changed: Duration,
    told: HashMap<Uuid, Told>,
    told_of_another: Vec<Uuid>,
    /// The keys of requests that were sent twice at once.
    twice: HashSet<Uuid>,
    /// The paths that were read by nobody in particular.
    read: HashSet<String>,
    answered: u64,
}

impl Journal {
    /// # Errors
    /// When the file cannot be made.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("{}", path.display()))?;
        let kept = Kept {
            file: BufWriter::new(file),
            waiting: BTreeSet::new(),
            tried: vec![],
            keys: HashSet::new(),
            failed: None,
            changed: Duration::ZERO,
            told: HashMap::new(),
            told_of_another: vec![],
            twice: HashSet::new(),
            read: HashSet::new(),
            answered: 0,
        };
        Ok(Self { began: Instant::now(), path: path.to_owned(), kept: Mutex::new(kept) })
    }

    /// How long it has been kept.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.began.elapsed()
    }

    pub(crate) fn attempts(&self, key: Uuid, began: Instant) {
        self.lock().waiting.insert((began - self.began, key));
    }

    pub(crate) fn twice(&self, key: Uuid) {
        self.lock().twice.insert(key);
    }

    pub(crate) fn attempted(&self, attempt: &Attempt<'_>) {
        let Attempt { who, key, method, path, body, began, got, names_operation } = attempt;
        let (took, wait) = (began.elapsed(), wait(path));
        let status = got.ok();
        let well = took < PROMPT + wait && status.is_some_and(|status| status < 500 && status != 202);
        let got = match got {
            Ok(status) => json!(status),
            Err(why) => json!(why),
        };
        self.write(&json!({
            "who": who, "key": key, "sent": format!("{method} {path}"), "body": body, "got": got,
            "took_ms": took.as_millis(),
        }));
        let mut kept = self.lock();
        let sent = *began - self.began;
        kept.waiting.remove(&(sent, *key));
        let first = kept.keys.insert(*key);
        // Under the lock, so that they are in order.
        let tried = Tried {
            key: *key,
            sent,
            at: self.now(),
            wait,
            status,
            well,
            change: *method != Method::GET && *names_operation && status != Some(202) && first,
        };
        kept.tried.push(tried);
        if *method == Method::GET && who.is_empty() && !kept.read.contains(*path) {
            kept.read.insert((*path).to_owned());
        }
        if !well {
            kept.failed = Some(tried.at);
        } else if tried.change {
            kept.changed = kept.changed.max(tried.sent);
        }
    }

    pub(crate) fn settled(&self, key: Uuid, answer: &Answer) {
        self.write(&json!({ "key": key, "status": answer.status.as_u16(), "answer": answer.body }));
        let mut kept = self.lock();
        kept.answered += 1;
        let Some(operation_id) = answer.body["operation_id"].as_str().and_then(|id| id.parse().ok()) else {
            return;
        };
        let outcome = match answer.status.is_success() {
            true => Ok(answer.body["result"].clone()),
            false => Err(answer.code().to_owned()),
        };
        if kept.told.insert(operation_id, Told { key, outcome }).is_some() {
            kept.told_of_another.push(key);
        }
    }

    /// Also of what is no request: a fault, a violation.
    pub fn write(&self, line: &Value) {
        let mut line = line.clone();
        line["at_ms"] = json!(self.now().as_millis());
        // A full disk must not stop the drill; the line is missing, and the books are compared from memory.
        let _ = writeln!(self.lock().file, "{line}");
    }

    /// All attempts so far.
    #[must_use]
    pub fn tried(&self) -> Vec<Tried> {
        self.lock().tried.clone()
    }

    /// When an attempt failed last.
    #[must_use]
    pub fn last_failure(&self) -> Option<Duration> {
        self.lock().failed
    }

    /// When the latest change that succeeded was sent.
    #[must_use]
    pub fn last_change(&self) -> Duration {
        self.lock().changed
    }

    /// How long somebody has been waiting for an answer who asked after this moment.
    #[must_use]
    pub fn longest_wait(&self, asked_after: Duration) -> Duration {
        let kept = self.lock();
        let first = kept.waiting.range((asked_after, Uuid::nil())..).next();
        first.map_or(Duration::ZERO, |(began, _)| self.now() - *began)
    }

    /// Attempts of this time that failed otherwise than by one 503 each time that a request was sent: a client that
    /// sends it again once notices nothing.
    #[must_use]
    pub fn noticed(&self, from: Duration, until: Duration) -> Vec<Tried> {
        let (tried, twice) = (self.tried(), self.lock().twice.clone());
        let in_time = tried.iter().filter(|tried| (from..until).contains(&tried.at));
        let mut excused = HashMap::new();
        in_time
            .filter(|tried| tried.status.is_none_or(|status| status >= 500))
            .filter(|tried| {
                let times = excused.entry(tried.key).or_insert(0);
                *times += 1;
                tried.status != Some(503) || *times > 1 + usize::from(twice.contains(&tried.key))
            })
            .copied()
            .collect()
    }

    /// What each operation came to.
    #[must_use]
    pub fn told(&self) -> HashMap<Uuid, Told> {
        self.lock().told.clone()
    }

    /// The keys of requests that were answered with the operation of another.
    #[must_use]
    pub fn told_of_another(&self) -> Vec<Uuid> {
        self.lock().told_of_another.clone()
    }

    /// The paths that were read without a token, each once.
    #[must_use]
    pub fn read_by_all(&self) -> HashSet<String> {
        self.lock().read.clone()
    }

    /// Which operation the request with this key became.
    #[must_use]
    pub fn operation(&self, key: Uuid) -> Option<Uuid> {
        self.lock().told.iter().find(|(_, told)| told.key == key).map(|(operation_id, _)| *operation_id)
    }

    /// Requests that have an answer.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.lock().answered
    }

    /// The lines in which any of these words is.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn lines_with(&self, words: &[&str]) -> anyhow::Result<Vec<String>> {
        self.lock().file.flush()?;
        let file = BufReader::new(File::open(&self.path)?);
        let found = file
            .lines()
            .filter(|line| line.as_ref().map_or(true, |line| words.iter().any(|word| line.contains(word))));
        Ok(found.collect::<Result<_, _>>()?)
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How long who asks for this lets the api wait: `…?wait=1`, in seconds.
fn wait(path: &str) -> Duration {
    let asked = path.split(['?', '&']).find_map(|word| word.strip_prefix("wait="));
    Duration::from_secs(asked.and_then(|asked| asked.parse().ok()).unwrap_or_default())
}
