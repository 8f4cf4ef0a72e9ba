//! The connection of an SMTP client: lines and messages.

use std::{
    io::{self, ErrorKind},
    time::Duration,
};

use smtp_proto::request::receiver::{DataReceiver, DummyDataReceiver, MAX_LINE_LENGTH};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::{Instant, sleep_until, timeout, timeout_at},
};

/// The time limit for the next bytes of the client (RFC 5321, section 4.5.3.2.7).
const IDLE_TIMEOUT: Duration = Duration::from_secs(5 * 60);

/// The connection of an SMTP client. Every method fails when the client has closed it.
pub(super) struct SmtpConnection {
    stream: BufReader<TcpStream>,
}

impl SmtpConnection {
    pub(super) fn new(stream: TcpStream) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    /// Sends a response of one or more lines.
    pub(super) async fn send(&mut self, response: &str) -> io::Result<()> {
        self.stream.write_all(format!("{response}\r\n").as_bytes()).await
    }

    /// Reads a line with its line break.
    ///
    /// # Errors
    /// When the line is longer than 4096 bytes.
    pub(super) async fn read_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = vec![];
        let mut limited = (&mut self.stream).take(MAX_LINE_LENGTH as u64);
        timeout(IDLE_TIMEOUT, limited.read_until(b'\n', &mut line)).await??;
        match line.last() {
            Some(b'\n') => Ok(line),
            _ if line.len() == MAX_LINE_LENGTH => Err(ErrorKind::InvalidData.into()),
            _ => Err(ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Reads a message to the line with a single dot. Returns `None` if it is longer than `max_size`.
    pub(super) async fn read_message(&mut self, max_size: usize) -> io::Result<Option<Vec<u8>>> {
        let (mut message, mut receiver) = (vec![], DataReceiver::new());
        // The receiver looks for a dot after a line break, but the first line may also begin with one.
        receiver.ingest(&mut b"\r\n".iter(), &mut message);
        message.clear();
        loop {
            let bytes = self.next_bytes().await?;
            let mut rest = bytes.iter();
            let is_complete = receiver.ingest(&mut rest, &mut message);
            let consumed = bytes.len() - rest.len();
            self.stream.consume(consumed);
            if is_complete {
                return Ok(Some(message).filter(|message| message.len() <= max_size));
            }
            if message.len() > max_size {
                self.skip_message(DummyDataReceiver::new_data(&receiver)).await?;
                return Ok(None);
            }
        }
    }

    /// Reads the rest of a message and forgets it.
    async fn skip_message(&mut self, mut receiver: DummyDataReceiver) -> io::Result<()> {
        loop {
            let bytes = self.next_bytes().await?;
            let mut rest = bytes.iter();
            let is_complete = receiver.ingest(&mut rest);
            let consumed = bytes.len() - rest.len();
            self.stream.consume(consumed);
            if is_complete {
                return Ok(());
            }
        }
    }

    async fn next_bytes(&mut self) -> io::Result<&[u8]> {
        let bytes = timeout(IDLE_TIMEOUT, self.stream.fill_buf()).await??;
        if bytes.is_empty() { Err(ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
    }

    /// Sends nothing for this time.
    pub(super) async fn stall(&mut self, time: Duration) -> io::Result<()> {
        let end = Instant::now() + time;
        // Only a client that uses pipelining sends something now, and only one that leaves closes the connection.
        if let Ok(bytes) = timeout_at(end, self.stream.fill_buf()).await
            && bytes?.is_empty()
        {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        sleep_until(end).await;
        Ok(())
    }
}
