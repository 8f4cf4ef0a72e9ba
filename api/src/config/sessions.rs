//! The settings of sessions and their tokens.

use clap::Args;
use secrecy::SecretString;

/// Sessions, access tokens and second factors.
#[derive(Debug, Clone, Args)]
pub struct SessionSettings {
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

    /// Whether the roles editor, merchant and admin need a second factor: without one, the account acts as a player
    #[arg(long, env = "GUILDHALL_SECOND_FACTOR_REQUIRED", default_value_t = false, action = clap::ArgAction::Set)]
    pub second_factor_required: bool,

    /// The days after which an unused session expires, at most 3650
    #[arg(long, env = "GUILDHALL_SESSION_DAYS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub session_days: u32,

    /// The lifetime of an access token in minutes, at most 10080 (a week). A site needs no other: clients renew their tokens, and a
    /// log-out ends them. The benchmark logs in once and needs longer
    #[arg(
        long,
        env = "GUILDHALL_ACCESS_TOKEN_MINUTES",
        hide = true,
        default_value_t = 15,
        value_parser = clap::value_parser!(u64).range(1..=10_080)
    )]
    pub access_token_minutes: u64,
}
