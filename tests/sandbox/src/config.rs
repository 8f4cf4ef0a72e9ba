//! The settings of the sandbox. `guildhall-sandbox --help` documents them.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};

const LISTEN: &str = "127.0.0.1:8082";
const CLIENT_ID: &str = "guildhall";
/// This default is public. The sandbox holds no real money.
const CLIENT_SECRET: &str = "sandbox-secret";
const KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
const RECEIVER_NAME: &str = "GUILDHALL SANDBOX";
const RECEIVER_CITY: &str = "SAO PAULO";
const LOCATION: &str = "pix.example.com/qr/v2";
const SCOPES: [&str; 6] = ["cob.write", "cob.read", "pix.write", "pix.read", "webhook.write", "webhook.read"];

/// The settings of a sandbox.
#[derive(Clone, Args)]
pub struct Config {
    /// The address to listen on. The control API has no authentication: use a loopback address
    #[arg(long, env = "GUILDHALL_SANDBOX_LISTEN", default_value = LISTEN)]
    pub listen: SocketAddr,

    /// The append-only log of all records. Without it, the records are lost when the sandbox stops
    #[arg(long, env = "GUILDHALL_SANDBOX_DATA")]
    pub data: Option<PathBuf>,

    /// The OAuth client id of the receiver
    #[arg(long, env = "GUILDHALL_SANDBOX_CLIENT_ID", default_value = CLIENT_ID)]
    pub client_id: String,

    /// The OAuth client secret of the receiver
    #[arg(long, env = "GUILDHALL_SANDBOX_CLIENT_SECRET", default_value = CLIENT_SECRET)]
    pub client_secret: String,

    /// The OAuth scopes of the receiver, separated by commas
    #[arg(long, env = "GUILDHALL_SANDBOX_SCOPES", value_delimiter = ',', default_values = SCOPES)]
    pub scopes: Vec<String>,

    /// The lifetime of an access token in seconds
    #[arg(long, env = "GUILDHALL_SANDBOX_TOKEN_SECONDS", default_value_t = 300)]
    pub token_seconds: u32,

    /// The receiver's Pix keys, separated by commas. POST /sandbox/pay-static uses the first by default
    #[arg(long = "key", env = "GUILDHALL_SANDBOX_KEYS", value_delimiter = ',', default_values = [KEY])]
    pub keys: Vec<String>,

    /// The receiver's name in QR codes: at most 25 ASCII characters
    #[arg(long, env = "GUILDHALL_SANDBOX_RECEIVER_NAME", default_value = RECEIVER_NAME)]
    pub receiver_name: String,

    /// The receiver's city in QR codes: at most 15 ASCII characters
    #[arg(long, env = "GUILDHALL_SANDBOX_RECEIVER_CITY", default_value = RECEIVER_CITY)]
    pub receiver_city: String,

    /// The prefix of charge locations in QR codes, without scheme: at most 44 ASCII characters
    #[arg(long, env = "GUILDHALL_SANDBOX_LOCATION", default_value = LOCATION)]
    pub location: String,

    /// The processing time of a refund in milliseconds
    #[arg(long, env = "GUILDHALL_SANDBOX_REFUND_MS", default_value_t = 1000)]
    pub refund_ms: u64,

    /// Registers this webhook for every key at start. The sandbox retries until its server responds
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK", value_name = "URL")]
    pub register: Option<String>,

    /// The position of /pix in the URL of a webhook with a query
    #[arg(long, env = "GUILDHALL_SANDBOX_APPEND_PIX", value_enum, default_value_t = AppendPix::Path)]
    pub append_pix: AppendPix,

    /// The maximum number of attempts per notification. A 2xx response ends the attempts
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK_ATTEMPTS", default_value_t = 3)]
    pub webhook_attempts: u32,

    /// The delay before the second attempt in milliseconds. It doubles with each further attempt
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK_BACKOFF_MS", default_value_t = 500)]
    pub webhook_backoff_ms: u64,

    /// The maximum delay of a reordered notification in milliseconds, if no other notification follows
    #[arg(long, env = "GUILDHALL_SANDBOX_REORDER_MS", default_value_t = 5000)]
    pub reorder_ms: u64,

    /// The default URL of POST /sandbox/signed
    #[arg(long, env = "GUILDHALL_SANDBOX_SIGNED_URL", value_name = "URL")]
    pub signed_url: Option<String>,

    /// The default secret of POST /sandbox/signed: whsec_ followed by base64
    #[arg(long, env = "GUILDHALL_SANDBOX_SIGNED_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub signed_secret: Option<String>,

    /// The address of the mail catcher, an SMTP server without TLS. Without it, there is no mail catcher
    #[arg(long, env = "GUILDHALL_SANDBOX_MAIL_LISTEN", value_name = "ADDRESS")]
    pub mail_listen: Option<SocketAddr>,

    /// The user name that a client of the mail catcher needs. Without it, clients do not log in
    #[arg(long, env = "GUILDHALL_SANDBOX_MAIL_USER", value_name = "NAME", requires = "mail_password")]
    pub mail_user: Option<String>,

    /// The password that a client of the mail catcher needs
    #[arg(long, env = "GUILDHALL_SANDBOX_MAIL_PASSWORD", value_name = "PASSWORD", hide_env_values = true)]
    #[arg(requires = "mail_user")]
    pub mail_password: Option<String>,
}

/// The position of `/pix` in the URL of a webhook.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AppendPix {
    /// At the end of the path, before the query
    Path,
    /// At the end of the whole URL, after the query, as some banks do
    Url,
}

/// The defaults of `--help`, but with free loopback ports, and with a mail catcher. It reads no environment
/// variable, for tests.
impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            data: None,
            client_id: CLIENT_ID.to_owned(),
            client_secret: CLIENT_SECRET.to_owned(),
            scopes: SCOPES.map(str::to_owned).to_vec(),
            token_seconds: 300,
            keys: vec![KEY.to_owned()],
            receiver_name: RECEIVER_NAME.to_owned(),
            receiver_city: RECEIVER_CITY.to_owned(),
            location: LOCATION.to_owned(),
            refund_ms: 1000,
            register: None,
            append_pix: AppendPix::Path,
            webhook_attempts: 3,
            webhook_backoff_ms: 500,
            reorder_ms: 5000,
            signed_url: None,
            signed_secret: None,
            mail_listen: Some(SocketAddr::from(([127, 0, 0, 1], 0))),
            mail_user: None,
            mail_password: None,
        }
    }
}

impl Config {
    /// Checks that the values fit into a QR code, and that a user name has a password.
    pub(crate) fn validate(&self) -> anyhow::Result<()> {
        let fits = |text: &str, max| text.is_ascii() && (1..=max).contains(&text.len());
        anyhow::ensure!(
            fits(&self.receiver_name, 25),
            "the receiver's name must have 1 to 25 ASCII characters"
        );
        anyhow::ensure!(
            fits(&self.receiver_city, 15),
            "the receiver's city must have 1 to 15 ASCII characters"
        );
        anyhow::ensure!(fits(&self.location, 44), "the location prefix must have 1 to 44 ASCII characters");
        anyhow::ensure!(
            self.keys.iter().all(|key| fits(key, 77)),
            "each Pix key must have 1 to 77 ASCII characters"
        );
        anyhow::ensure!(!self.keys.is_empty(), "at least one Pix key is required");
        anyhow::ensure!(
            self.mail_user.is_some() == self.mail_password.is_some(),
            "the mail catcher needs both a user name and a password, or neither"
        );
        Ok(())
    }
}
