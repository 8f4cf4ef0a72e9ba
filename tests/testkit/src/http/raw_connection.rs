//! A TCP connection to a site that sends bytes unchanged, for requests that no HTTP client sends.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use super::connections::connect_from;

#[derive(Debug)]
pub struct RawResponse {
    pub status: u16,
    head: String,
    pub body: Vec<u8>,
}

impl RawResponse {
    /// The head and the body.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.head, String::from_utf8_lossy(&self.body))
    }

    /// The value of a header, by its name in lower case. Empty without the header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let value = self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value)
        });
        value.unwrap_or_default().trim()
    }
}

/// The result of an exchange.
#[derive(Debug)]
pub enum ExchangeResult {
    Response(RawResponse),
    /// The connection was closed or broken.
    Closed,
    /// No response in time.
    TimedOut,
}

pub struct RawConnection {
    pub stream: TcpStream,
    /// Received bytes that were not parsed yet.
    received: Vec<u8>,
}

impl RawConnection {
    /// # Errors
    /// When the server does not accept it.
    pub async fn open(address: SocketAddr) -> std::io::Result<Self> {
        Ok(Self { stream: TcpStream::connect(address).await?, received: Vec::new() })
    }

    /// A connection from another address of this machine.
    ///
    /// # Errors
    /// When the server does not accept it.
    pub async fn open_from(source: IpAddr, address: SocketAddr) -> std::io::Result<Self> {
        Ok(Self { stream: connect_from(source, address).await?, received: Vec::new() })
    }

    /// A connection with a small receive buffer.
    ///
    /// # Errors
    /// When the server does not accept it.
    pub async fn open_with_small_buffer(address: SocketAddr) -> std::io::Result<Self> {
        let socket = TcpSocket::new_v4()?;
        socket.set_recv_buffer_size(4096)?;
        Ok(Self { stream: socket.connect(address).await?, received: Vec::new() })
    }

    /// Sends bytes and reads the next response at the same time: a server may respond before it has read everything.
    pub async fn exchange(&mut self, bytes: &[u8], time_limit: Duration) -> ExchangeResult {
        let Self { stream, received } = self;
        let (mut reader, mut writer) = stream.split();
        let send = async {
            // The response shows whether the server has read the bytes.
            let _ = writer.write_all(bytes).await;
            std::future::pending::<()>().await;
        };
        let receive = async {
            loop {
                match parse_response(received) {
                    // 100 Continue is not the response.
                    Some((RawResponse { status: 100, .. }, length)) => drop(received.drain(..length)),
                    Some((response, length)) => {
                        received.drain(..length);
                        return ExchangeResult::Response(response);
                    }
                    None => match reader.read_buf(received).await {
                        Ok(0) | Err(_) => return ExchangeResult::Closed,
                        Ok(_) => {}
                    },
                }
            }
        };
        let both = async {
            tokio::select! {
                result = receive => result,
                () = send => ExchangeResult::TimedOut,
            }
        };
        timeout(time_limit, both).await.unwrap_or(ExchangeResult::TimedOut)
    }

    /// Discards all bytes until the server closes the connection. Returns whether it did, and the number of bytes.
    pub async fn read_to_end(&mut self, time_limit: Duration) -> (bool, usize) {
        let mut bytes = 0;
        let mut buffer = vec![0; 64 * 1024];
        let closed = timeout(time_limit, async {
            while let Ok(read @ 1..) = self.stream.read(&mut buffer).await {
                bytes += read;
            }
        });
        (closed.await.is_ok(), bytes)
    }
}

/// The first complete response, and its length.
fn parse_response(bytes: &[u8]) -> Option<(RawResponse, usize)> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
    let mut response = RawResponse { status, head, body: Vec::new() };
    let length = match response.header("content-length") {
        // An event stream has no length; its head is enough.
        "" => 0,
        length => length.parse().ok()?,
    };
    response.body = bytes.get(end..end + length)?.to_vec();
    Some((response, end + length))
}
