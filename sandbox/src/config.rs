//! The sandbox's settings. `guildhall-sandbox --help` is the manual.

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};

const LISTEN: &str = "127.0.0.1:8082";
const CLIENT_ID: &str = "guildhall";
/// Known to everybody, as befits a bank without money.
const CLIENT_SECRET: &str = "sandbox-secret";
const KEY: &str = "7d9f0335-8dcc-4054-9bf9-0dbd61d36906";
const RECEIVER_NAME: &str = "GUILDHALL SANDBOX";
const RECEIVER_CITY: &str = "SAO PAULO";
const LOCATION: &str = "pix.example.com/qr/v2";
const SCOPES: [&str; 6] = ["cob.write", "cob.read", "pix.write", "pix.read", "webhook.write", "webhook.read"];

#[derive(Clone, Args)]
pub struct Config {
    /// Where to listen. Nothing here asks who you are: keep it on the loopback
    #[arg(long, env = "GUILDHALL_SANDBOX_LISTEN", default_value = LISTEN)]
    pub listen: SocketAddr,

    /// The file that every change is written to before it is answered, and read from at start.
    /// Without it, all is forgotten at the end
    #[arg(long, env = "GUILDHALL_SANDBOX_DATA")]
    pub data: Option<PathBuf>,

    /// The id of the one client
    #[arg(long, env = "GUILDHALL_SANDBOX_CLIENT_ID", default_value = CLIENT_ID)]
    pub client_id: String,

    /// The secret of the one client
    #[arg(long, env = "GUILDHALL_SANDBOX_CLIENT_SECRET", default_value = CLIENT_SECRET)]
    pub client_secret: String,

    /// What the client may do, with commas between
    #[arg(long, env = "GUILDHALL_SANDBOX_SCOPES", value_delimiter = ',', default_values = SCOPES)]
    pub scopes: Vec<String>,

    /// Seconds for which an access token is good
    #[arg(long, env = "GUILDHALL_SANDBOX_TOKEN_SECONDS", default_value_t = 300)]
    pub token_seconds: u32,

    /// The receiver's Pix keys, with commas between; money without a charge goes to the first
    #[arg(long = "key", env = "GUILDHALL_SANDBOX_KEYS", value_delimiter = ',', default_values = [KEY])]
    pub keys: Vec<String>,

    /// The receiver's name in QR codes: at most 25 characters of ASCII
    #[arg(long, env = "GUILDHALL_SANDBOX_RECEIVER_NAME", default_value = RECEIVER_NAME)]
    pub receiver_name: String,

    /// The receiver's city in QR codes: at most 15 characters of ASCII
    #[arg(long, env = "GUILDHALL_SANDBOX_RECEIVER_CITY", default_value = RECEIVER_CITY)]
    pub receiver_city: String,

    /// What locations of charges start with, without scheme: at most 44 characters
    #[arg(long, env = "GUILDHALL_SANDBOX_LOCATION", default_value = LOCATION)]
    pub location: String,

    /// Milliseconds from the request of a refund until it is settled
    #[arg(long, env = "GUILDHALL_SANDBOX_REFUND_MS", default_value_t = 1000)]
    pub refund_ms: u64,

    /// Registers this webhook for every key, again and again until its server answers
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK", value_name = "URL")]
    pub register: Option<String>,

    /// Where /pix goes in a webhook's URL that has a query
    #[arg(long, env = "GUILDHALL_SANDBOX_APPEND_PIX", value_enum, default_value_t = AppendPix::Path)]
    pub append_pix: AppendPix,

    /// How often a notification is tried until it is answered 2xx
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK_ATTEMPTS", default_value_t = 3)]
    pub webhook_attempts: u32,

    /// Milliseconds before the second attempt; doubled before every further one
    #[arg(long, env = "GUILDHALL_SANDBOX_WEBHOOK_BACKOFF_MS", default_value_t = 500)]
    pub webhook_backoff_ms: u64,

    /// Where POST /sandbox/signed sends to if it is not told
    #[arg(long, env = "GUILDHALL_SANDBOX_SIGNED_URL", value_name = "URL")]
    pub signed_url: Option<String>,

    /// What POST /sandbox/signed signs with if it is not told: whsec_ and base64
    #[arg(long, env = "GUILDHALL_SANDBOX_SIGNED_SECRET", value_name = "SECRET", hide_env_values = true)]
    pub signed_secret: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AppendPix {
    /// At the end of the path, before the query
    Path,
    /// At the end of the whole URL, as some banks do: in the query
    Url,
}

/// As `--help` says, but on a free port of the loopback. For tests: reads no environment.
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
            signed_url: None,
            signed_secret: None,
        }
    }
}

impl Config {
    /// Whether QR codes can be made with it.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let fits = |text: &str, most| text.is_ascii() && (1..=most).contains(&text.len());
        anyhow::ensure!(fits(&self.receiver_name, 25), "the receiver's name has 1 to 25 characters of ASCII");
        anyhow::ensure!(fits(&self.receiver_city, 15), "the receiver's city has 1 to 15 characters of ASCII");
        anyhow::ensure!(fits(&self.location, 44), "a location starts with 1 to 44 characters of ASCII");
        anyhow::ensure!(self.keys.iter().all(|key| fits(key, 77)), "a key has 1 to 77 characters");
        anyhow::ensure!(!self.keys.is_empty(), "the receiver needs a key");
        Ok(())
    }
}
