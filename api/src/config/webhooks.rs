//! The settings of notifications that banks and bridges send.

use clap::Args;
use secrecy::SecretString;

/// How the senders of notifications prove that a notification is their own.
#[derive(Debug, Clone, Args)]
pub struct WebhookSettings {
    /// The secret in the address for Pix notifications: ?secret=…; at least 16 letters and digits.
    /// Without it and without the certificate header, all Pix notifications are refused
    #[arg(long, env = "GUILDHALL_PIX_WEBHOOK_SECRET", hide_env_values = true)]
    pub pix_webhook_secret: Option<SecretString>,

    /// The header in which a trusted proxy reports SUCCESS for the client certificate of the bank:
    /// X-Client-Verify. If it is set, Pix notifications require it. It needs GUILDHALL_TRUSTED_PROXIES
    #[arg(long, env = "GUILDHALL_PIX_WEBHOOK_CERTIFICATE_HEADER")]
    pub pix_webhook_certificate_header: Option<String>,

    /// The secrets of signed notifications (Standard Webhooks), separated by commas: whsec_…
    #[arg(long, env = "GUILDHALL_WEBHOOK_SECRETS", hide_env_values = true, value_delimiter = ',')]
    pub webhook_secrets: Vec<SecretString>,
}
