//! The settings of the HTTP server.

use std::{net::SocketAddr, num::NonZeroUsize};

use clap::Args;
use ipnet::IpNet;

/// This text is no doc comment: rustdoc refuses bare links, and clap prints the brackets of other links.
const CORS_ORIGINS_HELP: &str = "The origins whose pages may use the API, separated by commas: https://example.org. An origin has no path";

/// Who may connect, and how often at the same time.
#[derive(Debug, Clone, Args)]
pub struct ConnectionSettings {
    /// The address and port to listen on
    #[arg(long, env = "GUILDHALL_API_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The address for health checks and metrics
    #[arg(long, env = "GUILDHALL_API_HEALTH_LISTEN", default_value = "127.0.0.1:8083")]
    pub health_listen: SocketAddr,

    /// The origins whose pages may use the API.
    #[arg(long, env = "GUILDHALL_CORS_ORIGINS", value_delimiter = ',', help = CORS_ORIGINS_HELP)]
    pub cors_origins: Vec<String>,

    /// The networks of the trusted proxies, separated by commas: 10.0.0.0/8. X-Forwarded-For is accepted only
    /// from them
    #[arg(long, env = "GUILDHALL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// The maximum number of connections at the same time. A new connection above this limit closes the connection that has been
    /// idle for the longest time
    #[arg(id = "connections", long, env = "GUILDHALL_CONNECTIONS", default_value = "4096")]
    pub total: NonZeroUsize,

    /// The maximum number of connections of one client address at the same time. Request bodies that are being received may use a
    /// sixteenth of it, and event streams a half. Connections of trusted proxies have no such limit
    #[arg(
        id = "connections_per_address",
        long,
        env = "GUILDHALL_CONNECTIONS_PER_ADDRESS",
        default_value = "512"
    )]
    pub per_address: NonZeroUsize,

    /// The seconds after SIGTERM in which the process still accepts requests, while /healthz responds 503. In this time
    /// a proxy notices the 503 and sends new requests to other processes
    #[arg(long, env = "GUILDHALL_DRAIN_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60))]
    pub drain_seconds: u64,
}
