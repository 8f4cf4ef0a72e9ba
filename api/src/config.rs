//! The api's settings. `guildhall-api serve --help` is the manual.

use std::{
    net::SocketAddr,
    num::{NonZeroU32, NonZeroUsize},
};

use clap::Args;
use guildhall_common::platform::config::ServerSettings;
use ipnet::IpNet;
use secrecy::SecretString;

pub use crate::payments::providers;
use crate::payments::providers::ProviderSettings;

#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub servers: ServerSettings,

    /// At least 32 random bytes in base64: openssl rand -base64 32. Signs the access tokens;
    /// changing it signs everybody out. The same for every api of a site
    #[arg(long, env = "GUILDHALL_SECRET", hide_env_values = true)]
    pub secret: SecretString,

    /// Where to listen
    #[arg(long, env = "GUILDHALL_API_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Origins whose pages may call the API, with commas between: https://example.org
    #[arg(long, env = "GUILDHALL_CORS_ORIGINS", value_delimiter = ',')]
    pub cors_origins: Vec<String>,

    /// Networks of the proxies whose X-Forwarded-For is believed, with commas between: 10.0.0.0/8
    #[arg(long, env = "GUILDHALL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// Seconds to wait for the outcome of a command before answering 202
    #[arg(long, env = "GUILDHALL_COMMAND_WAIT", default_value_t = 5, value_parser = clap::value_parser!(u64).range(..=30))]
    pub command_wait: u64,

    /// Connections at one time. When there are more, the one that has asked nothing for the longest time is closed
    #[arg(long, env = "GUILDHALL_CONNECTIONS", default_value = "4096")]
    pub connections: NonZeroUsize,

    /// Requests a minute of one account, or of one address that is not signed in
    #[arg(long, env = "GUILDHALL_REQUESTS_PER_MINUTE", default_value = "600")]
    pub requests_per_minute: NonZeroU32,

    /// Tries a minute to log in to one account; from one address five times as many
    #[arg(long, env = "GUILDHALL_LOG_INS_PER_MINUTE", default_value = "10")]
    pub log_ins_per_minute: NonZeroU32,

    #[command(flatten)]
    pub providers: ProviderSettings,

    /// Minutes for which an access token is good
    #[arg(long, env = "GUILDHALL_ACCESS_TOKEN_MINUTES", default_value_t = 15)]
    pub access_token_minutes: u64,

    /// Seconds for which requests are still taken after SIGTERM, while /healthz answers 503: until a
    /// proxy in front has noticed and sends new ones elsewhere
    #[arg(long, env = "GUILDHALL_LEAVE_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60))]
    pub leave_seconds: u64,

    /// Days for which a session lasts without being used
    #[arg(long, env = "GUILDHALL_SESSION_DAYS", default_value_t = 30)]
    pub session_days: u32,
}
