//! The settings of the api. `guildhall-api serve --help` is their documentation.

use std::{
    net::SocketAddr,
    num::{NonZeroU32, NonZeroUsize},
};

use clap::Args;
use guildhall_common::platform::{config::ServerSettings, site_url::SiteUrl};
use ipnet::IpNet;
use secrecy::SecretString;

pub use crate::captcha::settings as captcha;
use crate::{captcha::settings::CaptchaSettings, providers::ProviderSettings};

/// This text is no doc comment: rustdoc refuses bare links, and clap prints the brackets of other links.
const CORS_ORIGINS_HELP: &str = "The origins whose pages may use the API, separated by commas: https://example.org. An origin has no path";

/// The settings of `guildhall-api serve`.
#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub servers: ServerSettings,

    /// The secret that signs access tokens: at least 32 random bytes in base64. This command makes one: openssl rand
    /// -base64 32. All api processes of a site need the same secret. While it is replaced there are several, separated by commas:
    /// the first one signs, and all of them verify
    #[arg(
        id = "secret",
        long,
        env = "GUILDHALL_SECRET",
        hide_env_values = true,
        value_delimiter = ',',
        required = true
    )]
    pub secrets: Vec<SecretString>,

    /// The name of the site in authenticator apps, link previews and the feed of the news. Set the same name for the workers, which have
    /// it in mails
    #[arg(long, env = "GUILDHALL_SITE_NAME", default_value = "Guildhall")]
    pub site_name: String,

    /// The address of the site's pages. The feed of the news and the link previews need it. Pages at this address may use the cookies of
    /// sessions, even if the api has another host. Set the same address for the workers, which have it in mails
    #[arg(long, env = "GUILDHALL_SITE_URL")]
    pub site_url: Option<SiteUrl>,

    /// Whether the roles editor, merchant and admin need a second factor: without one, the account acts as a player
    #[arg(long, env = "GUILDHALL_SECOND_FACTOR_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub second_factor_required: bool,

    /// The address and port to listen on
    #[arg(long, env = "GUILDHALL_API_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The origins whose pages may use the API.
    #[arg(long, env = "GUILDHALL_CORS_ORIGINS", value_delimiter = ',', help = CORS_ORIGINS_HELP)]
    pub cors_origins: Vec<String>,

    /// The networks of the trusted proxies, separated by commas: 10.0.0.0/8. X-Forwarded-For is accepted only
    /// from them
    #[arg(long, env = "GUILDHALL_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<IpNet>,

    /// The seconds to wait for the outcome of a command before the response is 202: 1 to 15, because an api that stops waits 20 s for its
    /// requests
    #[arg(long, env = "GUILDHALL_COMMAND_WAIT", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=15))]
    pub command_wait: u64,

    /// The seconds that a command may wait in its queue. If it would wait longer, the response is 503 with Retry-After, and the
    /// command is not accepted. Notifications of banks, acknowledgements of game servers and log-outs are always accepted
    #[arg(long, env = "GUILDHALL_QUEUE_SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub queue_seconds: u64,

    /// The maximum number of connections at the same time. A new connection above this limit closes the connection that has been
    /// idle for the longest time
    #[arg(long, env = "GUILDHALL_CONNECTIONS", default_value = "4096")]
    pub connections: NonZeroUsize,

    /// The maximum number of connections of one client address at the same time. Request bodies that are being received may use a
    /// sixteenth of it, and event streams a half. Connections of trusted proxies have no such limit
    #[arg(long, env = "GUILDHALL_CONNECTIONS_PER_ADDRESS", default_value = "512")]
    pub connections_per_address: NonZeroUsize,

    /// The requests per minute of one account. Requests without a token count for their address. All requests of one
    /// address together may be ten times as many
    #[arg(long, env = "GUILDHALL_REQUESTS_PER_MINUTE", default_value = "600")]
    pub requests_per_minute: NonZeroU32,

    /// The failed log-ins per minute of one client with one account name or e-mail address. Two more limits are five times as high
    /// and count only the failures of clients that the account does not know. One limit is for each name or e-mail address, the other for
    /// each client address
    #[arg(long, env = "GUILDHALL_LOG_INS_PER_MINUTE", default_value = "10")]
    pub log_ins_per_minute: NonZeroU32,

    /// The accounts per hour that one address may register
    #[arg(long, env = "GUILDHALL_REGISTRATIONS_PER_HOUR", default_value = "20")]
    pub registrations_per_hour: NonZeroU32,

    #[command(flatten)]
    pub captcha: CaptchaSettings,

    #[command(flatten)]
    pub providers: ProviderSettings,

    /// The lifetime of an access token in minutes, at most 10080 (a week)
    #[arg(long, env = "GUILDHALL_ACCESS_TOKEN_MINUTES", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=10_080))]
    pub access_token_minutes: u64,

    /// The seconds after SIGTERM in which the process still accepts requests, while /healthz responds 503. In this time
    /// a proxy notices the 503 and sends new requests to other processes
    #[arg(long, env = "GUILDHALL_DRAIN_SECONDS", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=60))]
    pub drain_seconds: u64,

    /// The days after which an unused session expires, at most 3650
    #[arg(long, env = "GUILDHALL_SESSION_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub session_days: u32,
}
