//! What the clients of a drill have asked, and what they were answered: a line each in a file, and in memory what
//! the books are compared with.

use std::{
    collections::HashMap,
    fs::File,
    io::{BufWriter, Write},
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
}

/// When an attempt ended, how long it took, and whether it was answered as on a good day.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    pub at: Duration,
    pub took: Duration,
    pub well: bool,
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
    tried: Vec<Tried>,
    told: HashMap<Uuid, Told>,
    settled: u64,
}

impl Journal {
    /// # Errors
    /// When the file cannot be made.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let file = File::create(path).with_context(|| format!("{}", path.display()))?;
        let kept = Kept { file: BufWriter::new(file), tried: vec![], told: HashMap::new(), settled: 0 };
        Ok(Self { began: Instant::now(), path: path.to_owned(), kept: Mutex::new(kept) })
    }

    /// How long it has been kept.
    #[must_use]
    pub fn now(&self) -> Duration {
        self.began.elapsed()
    }

    pub(crate) fn attempted(&self, attempt: &Attempt<'_>) {
        let Attempt { who, key, method, path, body, began, got } = attempt;
        let took = began.elapsed();
        let well = got.is_ok_and(|status| status < 500 && status != 202);
        let got = match got {
            Ok(status) => json!(status),
            Err(why) => json!(why),
        };
        self.write(&json!({
            "who": who, "key": key, "sent": format!("{method} {path}"), "body": body, "got": got,
            "took_ms": took.as_millis(),
        }));
        self.lock().tried.push(Tried { at: self.now(), took, well });
    }

    pub(crate) fn settled(&self, key: Uuid, answer: &Answer) {
        self.write(&json!({ "key": key, "status": answer.status.as_u16(), "answer": answer.body }));
        let mut kept = self.lock();
        kept.settled += 1;
        let Some(operation_id) = answer.body["operation_id"].as_str().and_then(|id| id.parse().ok()) else {
            return;
        };
        let outcome = match answer.status.is_success() {
            true => Ok(answer.body["result"].clone()),
            false => Err(answer.code().to_owned()),
        };
        kept.told.insert(operation_id, Told { key, outcome });
    }

    /// Something that is no request: a fault, a violation.
    pub fn note(&self, what: &Value) {
        self.write(what);
    }

    fn write(&self, line: &Value) {
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

    /// What each operation came to.
    #[must_use]
    pub fn told(&self) -> HashMap<Uuid, Told> {
        self.lock().told.clone()
    }

    /// Requests that have an answer.
    #[must_use]
    pub fn answered(&self) -> u64 {
        self.lock().settled
    }

    /// Everything that the file says of a key, an operation, or a word.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn story_of(&self, what: &str) -> anyhow::Result<Vec<String>> {
        self.lock().file.flush()?;
        let text = std::fs::read_to_string(&self.path)?;
        Ok(text.lines().filter(|line| line.contains(what)).map(ToOwned::to_owned).collect())
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
