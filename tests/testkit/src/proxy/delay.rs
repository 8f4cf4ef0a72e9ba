//! The delay of all bytes by the same time. So requests that are sent one after the other without a wait do not add their delays.
//!
//! A thread waits: the timers of tokio have a resolution of a millisecond, which is the usual delay.

use std::{
    io,
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use futures_util::stream;
use hyper::body::Bytes;
use tokio::{
    io::{AsyncRead, AsyncReadExt},
    sync::mpsc::unbounded_channel,
};
use tokio_util::io::StreamReader;

/// The same bytes, and their end, later by this time.
pub(super) fn delayed(
    mut from: impl AsyncRead + Send + Unpin + 'static,
    delay: Duration,
) -> impl AsyncRead + Send + Unpin {
    let (arrived, chunks) = mpsc::channel();
    let (due, mut received) = unbounded_channel();
    let is_read = due.clone();
    tokio::spawn(async move {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let read = tokio::select! {
                read = from.read(&mut buffer) => read,
                () = is_read.closed() => return,
            };
            let Ok(length @ 1..) = read else { return };
            if arrived.send((Instant::now() + delay, Bytes::copy_from_slice(&buffer[..length]))).is_err() {
                return;
            }
        }
    });
    thread::spawn(move || {
        for (time, chunk) in chunks {
            wait_until(time);
            if due.send(io::Result::Ok(chunk)).is_err() {
                return;
            }
        }
    });
    StreamReader::new(stream::poll_fn(move |context| received.poll_recv(context)))
}

#[expect(clippy::disallowed_methods, reason = "it runs on a thread of its own")]
fn wait_until(time: Instant) {
    thread::sleep(time.saturating_duration_since(Instant::now()));
}
