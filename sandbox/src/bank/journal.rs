//! The file that survives the process: one line of JSON for the changes that belong together.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::Path,
};

use anyhow::Context;

use super::Change;

pub(super) struct Journal {
    file: File,
    /// Where the next line starts.
    end: u64,
}

impl Journal {
    /// Opens the file, or makes it, and reads what it holds.
    pub(super) fn open(path: &Path) -> anyhow::Result<(Self, Vec<Change>)> {
        let named = || format!("the journal {}", path.display());
        let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path);
        let mut file = file.with_context(named)?;
        file.try_lock().context("another sandbox writes it").with_context(named)?;
        let (changes, end) = replay(BufReader::new(&file)).with_context(named)?;
        file.set_len(end).with_context(named)?;
        file.seek(SeekFrom::Start(end)).with_context(named)?;
        Ok((Self { file, end }, changes))
    }

    /// Returns when the line is the operating system's, so that the end of this process cannot lose it.
    pub(super) fn append(&mut self, changes: &[Change]) -> io::Result<()> {
        let mut line = serde_json::to_vec(changes)?;
        line.push(b'\n');
        if let Err(error) = self.file.write_all(&line) {
            // Half a line must not stand before the next one.
            self.file.set_len(self.end)?;
            self.file.seek(SeekFrom::Start(self.end))?;
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }
}

/// The changes, and where the last whole line ends. A line without its end was never answered.
fn replay(mut file: impl BufRead) -> anyhow::Result<(Vec<Change>, u64)> {
    let (mut changes, mut end, mut line) = (vec![], 0, vec![]);
    for number in 1.. {
        line.clear();
        let length = file.read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            break;
        }
        let read: Vec<Change> = serde_json::from_slice(&line).with_context(|| format!("line {number}"))?;
        changes.extend(read);
        end += length as u64;
    }
    Ok((changes, end))
}
