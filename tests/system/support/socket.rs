//! A TCP connection to the api, for requests that no HTTP client sends.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

use super::{site::Site, wait::with_hang_limit};

pub(crate) struct Socket(TcpStream);

impl Socket {
    pub(crate) async fn connect(site: &Site) -> Self {
        Self::connect_from(Ipv4Addr::LOCALHOST.into(), site).await
    }

    /// Connects from another address of this machine.
    pub(crate) async fn connect_from(address: IpAddr, site: &Site) -> Self {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::new(address, 0)).unwrap();
        let api = site.url.trim_start_matches("http://").parse().unwrap();
        Self(socket.connect(api).await.unwrap())
    }

    /// Sends bytes, and does not wait for a response.
    pub(crate) async fn write(&mut self, bytes: &str) {
        self.0.write_all(bytes.as_bytes()).await.unwrap();
    }

    /// Sends bytes and reads one response; it is empty if the api closes the connection.
    pub(crate) async fn send(&mut self, bytes: &str) -> String {
        // If the connection is closed, the next read says so.
        let _ = self.0.write_all(bytes.as_bytes()).await;
        let mut response = Vec::new();
        while !is_complete(&response) {
            let mut buffer = [0; 16 * 1024];
            let read = with_hang_limit("the api responds or closes the connection", self.0.read(&mut buffer));
            match read.await {
                Ok(length @ 1..) => response.extend_from_slice(&buffer[..length]),
                _ => break,
            }
        }
        String::from_utf8_lossy(&response).into_owned()
    }

    pub(crate) async fn get(&mut self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await
    }
}

/// Whether the head is there, and as much of a body as it announces.
fn is_complete(response: &[u8]) -> bool {
    let text = String::from_utf8_lossy(response).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}
