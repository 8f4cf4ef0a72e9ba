//! The mail server of the site, and the look of its mails.

mod keys;
pub(crate) mod rendering;

use std::time::Duration;

use anyhow::{Context, bail};
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use guildhall_common::platform::config::SiteSettings;
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::{
        Mailbox, MultiPart,
        dkim::{DkimConfig, DkimSigningAlgorithm, DkimSigningKey},
        header::{Header, HeaderName, HeaderValue},
    },
    transport::smtp::{Error, PoolConfig},
};
use secrecy::ExposeSecret;

use crate::{
    config::MailSettings,
    mailer::{
        keys::MailKeys,
        rendering::{Site, Templates, load},
    },
};

pub(crate) use self::rendering::Rendered;
pub use self::rendering::preview;

/// The time limit of each step of the protocol. A whole attempt also has the time limit of a job.
const STEP_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of connections to the mail server.
const CONNECTIONS: u32 = 8;

/// Sends the mails of a site.
pub(crate) struct Mailer {
    pub(crate) keys: MailKeys,
    pub(crate) templates: Templates,
    pub(crate) site: Site,
    pub(crate) site_limit: DefaultDirectRateLimiter,
    from: Mailbox,
    dkim: Option<DkimConfig>,
    transport: AsyncSmtpTransport<Tokio1Executor>,
}

/// `Auto-Submitted` of RFC 3834: other programs do not answer the mail.
#[derive(Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}

impl Mailer {
    /// The mailer of a site. None if the site has no mail server.
    ///
    /// # Errors
    /// A setting or a template is invalid.
    pub(crate) fn new(settings: &MailSettings, site: &SiteSettings) -> anyhow::Result<Option<Self>> {
        let Some(url) = &settings.smtp_url else { return Ok(None) };
        let site_url = site.site_url.as_ref().context("GUILDHALL_SITE_URL is required")?;
        let from = settings.mail_from.as_deref().context("GUILDHALL_MAIL_FROM is required")?;
        let from: Mailbox =
            from.parse().context("GUILDHALL_MAIL_FROM must be like Name <name@example.org>")?;
        let site = Site {
            name: site.site_name.clone(),
            url: site_url.as_str().to_owned(),
            color: settings.site_color.clone(),
        };
        Ok(Some(Self {
            keys: MailKeys::new(&settings.mail_secrets)?,
            templates: load(settings.mail_templates.as_deref())?,
            site,
            site_limit: RateLimiter::direct(Quota::per_minute(settings.mails_per_minute)),
            dkim: dkim(settings, &from)?,
            transport: transport(url.expose_secret())?,
            from,
        }))
    }

    /// Sends a mail. A repeated attempt has the same `Message-ID`, so that a mail program shows it once.
    ///
    /// # Errors
    /// The mail server is unreachable, or refuses the mail.
    pub(crate) async fn send(
        &self,
        message_id: &str,
        date: std::time::SystemTime,
        to: Mailbox,
        mail: Rendered,
    ) -> anyhow::Result<Result<(), Error>> {
        let mut message = Message::builder()
            .message_id(Some(format!("<{message_id}@{}>", self.from.email.domain())))
            .date(date)
            .from(self.from.clone())
            .to(to)
            .subject(mail.subject)
            .header(AutoSubmitted)
            .multipart(MultiPart::alternative_plain_html(mail.text, mail.html))
            .context("the mail cannot be written")?;
        if let Some(dkim) = &self.dkim {
            message.sign(dkim);
        }
        Ok(self.transport.send(message).await.map(drop))
    }

    /// Whether the mail server refuses the site, and not one mail: the log-in, the encryption, or each connection.
    pub(crate) async fn is_site_refused(&self, error: &Error) -> bool {
        match error.status().map(u16::from) {
            Some(521 | 530 | 534 | 535 | 538) => true,
            // As the response to a new connection, it means that the server accepts no mails of this client. A mail can be refused with
            // it, too.
            Some(554) => !matches!(self.transport.test_connection().await, Ok(true)),
            _ => false,
        }
    }
}

fn transport(url: &str) -> anyhow::Result<AsyncSmtpTransport<Tokio1Executor>> {
    let mut parsed = reqwest::Url::parse(url).context("GUILDHALL_SMTP_URL is no URL")?;
    let is_local = matches!(parsed.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
    let is_encrypted = parsed.scheme() == "smtps" || parsed.query() == Some("tls=required");
    let is_wanted = parsed.query() == Some("tls=none");
    if !is_local && !is_encrypted && !is_wanted {
        bail!(
            "GUILDHALL_SMTP_URL must be smtps://… or end with ?tls=required, because mails have secret links"
        );
    }
    if is_wanted {
        parsed.set_query(None);
    }
    let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(parsed.as_str())
        .context("GUILDHALL_SMTP_URL is invalid")?;
    let pool = PoolConfig::new().max_size(CONNECTIONS).idle_timeout(Duration::from_secs(30));
    Ok(transport.timeout(Some(STEP_TIMEOUT)).pool_config(pool).build())
}

fn dkim(settings: &MailSettings, from: &Mailbox) -> anyhow::Result<Option<DkimConfig>> {
    let (Some(selector), Some(path)) = (&settings.dkim_selector, &settings.dkim_key) else {
        return Ok(None);
    };
    let key = std::fs::read_to_string(path)
        .with_context(|| format!("GUILDHALL_DKIM_KEY: cannot read {}", path.display()))?;
    let key = DkimSigningKey::new(&key, DkimSigningAlgorithm::Rsa)
        .context("GUILDHALL_DKIM_KEY must be an RSA key in PEM (PKCS#1): openssl genrsa -traditional 2048")?;
    Ok(Some(DkimConfig::default_config(selector.clone(), from.email.domain().to_owned(), key)))
}
