//! The append-only log: a file with one line of JSON per transaction.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::Context;

use super::change::RecordChange;

/// The open log file. It is locked against other processes.
pub(super) struct AppendLog {
    file: File,
    /// The offset of the next line.
    end: u64,
}

impl AppendLog {
    /// Opens or creates the file, and reads its changes.
    pub(super) fn open(path: &Path) -> anyhow::Result<(Self, Vec<RecordChange>)> {
        let context = || format!("the append-only log {}", path.display());
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.with_context(context)?;
        file.try_lock().context("another sandbox has locked the file").with_context(context)?;
        let (changes, end) = read_changes(BufReader::new(&file)).with_context(context)?;
        file.set_len(end).with_context(context)?;
        file.seek(SeekFrom::Start(end)).with_context(context)?;
        Ok((Self { file, end }, changes))
    }

    /// Appends one transaction. The operating system has the line when this returns, so a crash of this
    /// process cannot lose it.
    pub(super) fn append(&mut self, changes: &[RecordChange]) -> io::Result<()> {
        let mut line = serde_json::to_vec(changes)?;
        line.push(b'\n');
        if let Err(error) = self.file.write_all(&line) {
            // The next line must not follow an incomplete one.
            self.file.set_len(self.end)?;
            self.file.seek(SeekFrom::Start(self.end))?;
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// Returns the changes, and the offset after the last complete line. An incomplete line was never
/// acknowledged, so it is ignored.
fn read_changes(mut file: impl BufRead) -> anyhow::Result<(Vec<RecordChange>, u64)> {
    let (mut changes, mut end, mut line) = (vec![], 0, vec![]);
    for number in 1.. {
        line.clear();
        let length = file.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        let transaction: Vec<RecordChange> =
            serde_json::from_slice(&line).with_context(|| format!("line {number}"))?;
        changes.extend(transaction);
        end += length as u64;
    }
    Ok((changes, end))
}
