//! The output of the log. Lines are collected for a moment and written together, because a system call for each line of a fast
//! service costs more than its text. Warnings and errors are written immediately, with all lines before them.
//!
//! tracing-appender wakes a thread for each line. That costs 2 to 15 µs of processor time more, and a cached read needs only 29 µs.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
    thread,
    time::Duration,
};

use parking_lot::{Condvar, Mutex};
use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// The longest time between a line and its output. The lines of this time are lost if the process is killed.
const INTERVAL: Duration = Duration::from_millis(20);

/// The number of bytes that are written without waiting. A thread with more lines waits for the output, so no line is lost.
const CAPACITY: usize = 256 * 1024;

/// The lines that are not written yet.
#[derive(Clone)]
pub(super) struct LogBuffer(Arc<BufferedLines>);

struct BufferedLines {
    lines: Mutex<Vec<u8>>,
    has_lines: Condvar,
    /// The lines that are being written. Meanwhile, others can be added to `lines`.
    written: Mutex<Vec<u8>>,
    output: fn(&[u8]) -> io::Result<()>,
}

/// Writes the remaining lines when it is dropped.
#[must_use]
pub struct LogGuard(LogBuffer);

impl LogBuffer {
    /// Starts the thread that writes the lines.
    ///
    /// # Errors
    /// The system has no thread.
    pub(super) fn start(output: fn(&[u8]) -> io::Result<()>) -> io::Result<(Self, LogGuard)> {
        let inner = BufferedLines {
            lines: Mutex::default(),
            has_lines: Condvar::new(),
            written: Mutex::default(),
            output,
        };
        let buffer = Self(Arc::new(inner));
        let writer = buffer.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || writer.write_until_the_end())?;
        Ok((buffer.clone(), LogGuard(buffer)))
    }

    #[expect(clippy::disallowed_methods, reason = "this thread is not one of the runtime")]
    fn write_until_the_end(&self) {
        loop {
            self.wait_for_lines();
            thread::sleep(INTERVAL);
            self.0.write_out();
        }
    }

    fn wait_for_lines(&self) {
        let mut lines = self.0.lines.lock();
        self.0.has_lines.wait_while(&mut lines, |lines| lines.is_empty());
    }
}

impl BufferedLines {
    fn write_out(&self) {
        let mut written = self.written.lock();
        mem::swap(&mut *self.lines.lock(), &mut *written);
        // There is no place to report that the log cannot be written.
        let _ = (self.output)(&written);
        written.clear();
    }
}

impl Drop for LogGuard {
    fn drop(&mut self) {
        self.0.0.write_out();
    }
}

/// Takes the text of one event.
pub(super) struct EventWriter<'a> {
    buffer: &'a BufferedLines,
    is_urgent: bool,
}

impl Write for EventWriter<'_> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let mut lines = self.buffer.lines.lock();
        if lines.is_empty() {
            self.buffer.has_lines.notify_one();
        }
        lines.extend_from_slice(text);
        let is_full = lines.len() > CAPACITY;
        drop(lines);
        if self.is_urgent || is_full {
            self.buffer.write_out();
        }
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogBuffer {
    type Writer = EventWriter<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        EventWriter { buffer: &self.0, is_urgent: true }
    }

    fn make_writer_for(&'a self, event: &Metadata<'_>) -> Self::Writer {
        EventWriter { buffer: &self.0, is_urgent: *event.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

    fn record(lines: &[u8]) -> io::Result<()> {
        WRITTEN.lock().push(String::from_utf8(lines.to_vec()).unwrap());
        Ok(())
    }

    #[test]
    fn lines_are_written_together_and_warnings_immediately() {
        let (buffer, guard) = LogBuffer::start(record).unwrap();
        let subscriber =
            tracing_subscriber::fmt().without_time().with_target(false).with_ansi(false).with_writer(buffer);
        tracing::subscriber::with_default(subscriber.finish(), || {
            tracing::info!("one");
            tracing::warn!("two");
            assert!(WRITTEN.lock().concat().ends_with(" INFO one\n WARN two\n"));
            tracing::info!("three");
        });
        drop(guard);
        assert_eq!(WRITTEN.lock().concat(), " INFO one\n WARN two\n INFO three\n");
    }
}
