//! A TCP connection to the api, for requests that no HTTP client sends.

use std::net::{IpAddr, Ipv4Addr};

use guildhall_testkit::http::raw_connection::{ExchangeResult, RawConnection};
use tokio::io::AsyncWriteExt;

use super::{site::Site, wait::HANG_LIMIT};

pub(crate) struct Socket(RawConnection);

impl Socket {
    pub(crate) async fn connect(site: &Site) -> Self {
        Self::connect_from(Ipv4Addr::LOCALHOST.into(), site).await
    }

    /// Connects from another address of this machine.
    pub(crate) async fn connect_from(address: IpAddr, site: &Site) -> Self {
        let api = site.url.trim_start_matches("http://").parse().unwrap();
        Self(RawConnection::open_from(address, api).await.unwrap())
    }

    /// Sends bytes, and does not wait for a response.
    pub(crate) async fn write(&mut self, bytes: &str) {
        self.0.stream.write_all(bytes.as_bytes()).await.unwrap();
    }

    /// Sends bytes and reads one response; it is empty if the api closes the connection.
    pub(crate) async fn send(&mut self, bytes: &str) -> String {
        match self.0.exchange(bytes.as_bytes(), HANG_LIMIT).await {
            ExchangeResult::Response(response) => response.text(),
            ExchangeResult::Closed => String::new(),
            ExchangeResult::TimedOut => panic!("the api neither responds nor closes the connection"),
        }
    }

    pub(crate) async fn get(&mut self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).await
    }
}
