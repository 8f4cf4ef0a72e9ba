//! The settings of mails.

use std::{num::NonZeroU32, path::PathBuf};

use clap::Args;
use secrecy::SecretString;

/// Mails. The site sends mails if it has a mail server.
#[derive(Debug, Clone, Args)]
pub struct MailSettings {
    /// The mail server: smtps://user:password@mail.example.org, or smtp://…:587?tls=required for STARTTLS. Without it, the site
    /// sends no mails
    #[arg(long, env = "GUILDHALL_SMTP_URL", hide_env_values = true, requires_all = ["mail_from", "site_url", "mail_secret"])]
    pub smtp_url: Option<SecretString>,

    /// The sender of the mails: Night Watch <noreply@example.org>
    #[arg(long, env = "GUILDHALL_MAIL_FROM")]
    pub mail_from: Option<String>,

    /// The key of the links in mails: at least 32 random bytes in base64. All workers need the same key. While it is replaced
    /// there are several, separated by commas: new mails use the first one
    #[arg(
        id = "mail_secret",
        long,
        env = "GUILDHALL_MAIL_SECRET",
        hide_env_values = true,
        value_delimiter = ','
    )]
    pub mail_secrets: Vec<SecretString>,

    /// The colour of buttons in mails: #rrggbb
    #[arg(long, env = "GUILDHALL_SITE_COLOR", default_value = "#8a5a00", value_parser = color)]
    pub site_color: String,

    /// A folder with templates that replace the built-in ones
    #[arg(long, env = "GUILDHALL_MAIL_TEMPLATES")]
    pub mail_templates: Option<PathBuf>,

    /// The maximum number of mails per minute that one worker sends
    #[arg(long, env = "GUILDHALL_MAILS_PER_MINUTE", default_value = "120")]
    pub mails_per_minute: NonZeroU32,

    /// The selector of the DKIM key: the name of its record before ._domainkey
    #[arg(long, env = "GUILDHALL_DKIM_SELECTOR", requires = "dkim_key")]
    pub dkim_selector: Option<String>,

    /// A PEM file with the RSA key that signs the mails (DKIM)
    #[arg(long, env = "GUILDHALL_DKIM_KEY", requires = "dkim_selector")]
    pub dkim_key: Option<PathBuf>,
}

fn color(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6);
    let is_color = digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    if is_color { Ok(text.to_owned()) } else { Err("must be # and six hexadecimal digits".to_owned()) }
}
