//! A client without manners: what it sends goes out byte by byte as it is.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

/// Beside the server's own limits: a connection that is not ended in this time hangs.
pub(super) const HANGS_AFTER: Duration = Duration::from_secs(30);

/// What was answered.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    head: String,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// A header's value; empty when there is none. The name in lower case.
    pub(super) fn header(&self, name: &str) -> &str {
        let value = self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value)
        });
        value.unwrap_or_default().trim()
    }
}

/// How it ended.
#[derive(Debug)]
pub(super) enum Got {
    Answer(Answer),
    /// The connection was closed, or broken.
    Closed,
    /// Nothing in time.
    Hung,
}

pub(super) struct Connection {
    pub(super) stream: TcpStream,
    /// What has come and was not read yet.
    left: Vec<u8>,
}

impl Connection {
    pub(super) async fn open(address: SocketAddr) -> std::io::Result<Self> {
        Ok(Self { stream: TcpStream::connect(address).await?, left: Vec::new() })
    }

    /// One that can hold little of what it does not read.
    pub(super) async fn open_narrow(address: SocketAddr) -> std::io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        Ok(Self { stream: socket.connect(address).await?, left: Vec::new() })
    }

    /// Sends this while reading the next answer: a server may answer before it has read everything.
    pub(super) async fn exchange(&mut self, bytes: &[u8], within: Duration) -> Got {
        let Self { stream, left } = self;
        let (mut reading, mut writing) = stream.split();
        let send = async {
            // Whether it was taken, the answer tells.
            let _ = writing.write_all(bytes).await;
            std::future::pending::<()>().await;
        };
        let receive = async {
            loop {
                match parse(left) {
                    // It says only that the rest may come.
                    Some((Answer { status: 100, .. }, length)) => drop(left.drain(..length)),
                    Some((answer, length)) => {
                        left.drain(..length);
                        return Got::Answer(answer);
                    }
                    None => match reading.read_buf(left).await {
                        Ok(0) | Err(_) => return Got::Closed,
                        Ok(_) => {}
                    },
                }
            }
        };
        let both = async {
            tokio::select! {
                got = receive => got,
                () = send => Got::Hung,
            }
        };
        timeout(within, both).await.unwrap_or(Got::Hung)
    }

    /// Reads and throws away until the server ends the connection; whether it did, and how many bytes came.
    pub(super) async fn drain(&mut self, within: Duration) -> (bool, usize) {
        let mut bytes = 0;
        let mut buffer = vec![0; 64 * 1024];
        let ended = timeout(within, async {
            while let Ok(read @ 1..) = self.stream.read(&mut buffer).await {
                bytes += read;
            }
        });
        (ended.await.is_ok(), bytes)
    }
}

/// The first whole answer among the bytes, and its length.
fn parse(bytes: &[u8]) -> Option<(Answer, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let mut answer = Answer { status, head, body: Vec::new() };
    let length = match answer.header("content-length") {
        // Of an event stream the head is enough.
        "" => 0,
        length => length.parse().ok()?,
    };
    answer.body = bytes.get(end..end + length)?.to_vec();
    Some((answer, end + length))
}
