//! Banks with the central bank's API Pix. A bank proves its identity by a secret in the query, by its client
//! certificate, or by both.

use anyhow::{Context, ensure};
use guildhall_common::contract::providers::{MIN_WEBHOOK_SECRET, Provider, is_webhook_secret};
use poem::http::HeaderName;
use poem_openapi::{Object, registry::MetaSecurityScheme, types::Example};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

use super::sender::{NotificationHead, VerifiedSender, api_key};
use crate::config::WebhookSettings;

pub(super) const SECURITY_SCHEME: &str = "webhookSecret";

/// Verifies notifications of the bank.
#[derive(Clone)]
pub(super) struct ApiPixVerifier {
    secret: Option<SecretString>,
    certificate_header: Option<HeaderName>,
}

impl ApiPixVerifier {
    pub(super) fn new(settings: &WebhookSettings, has_trusted_proxies: bool) -> anyhow::Result<Self> {
        let secret = settings.pix_webhook_secret.clone();
        ensure!(
            secret.as_ref().is_none_or(|secret| is_webhook_secret(secret.expose_secret())),
            "GUILDHALL_PIX_WEBHOOK_SECRET must have at least {MIN_WEBHOOK_SECRET} letters and digits: openssl rand -hex 24"
        );
        let header = settings.pix_webhook_certificate_header.as_ref();
        let header = header.map(|header| header.parse::<HeaderName>()).transpose();
        let certificate_header = header.context(
            "GUILDHALL_PIX_WEBHOOK_CERTIFICATE_HEADER must be the name of a header: X-Client-Verify",
        )?;
        ensure!(
            certificate_header.is_none() || has_trusted_proxies,
            "GUILDHALL_PIX_WEBHOOK_CERTIFICATE_HEADER needs GUILDHALL_TRUSTED_PROXIES: the header counts only from a trusted proxy"
        );
        Ok(Self { secret, certificate_header })
    }

    /// At least one proof is configured, and the request has all configured proofs.
    pub(super) fn verify(&self, head: NotificationHead<'_>) -> Option<VerifiedSender> {
        let has_certificate = |header: &HeaderName| {
            head.is_from_trusted_proxy() && head.header(header.as_str()) == Some("SUCCESS")
        };
        let has_secret = |secret: &SecretString| {
            let given = secret_in_query(head.query());
            given.is_some_and(|given| given.as_bytes().ct_eq(secret.expose_secret().as_bytes()).into())
        };
        let is_verified = (self.secret.is_some() || self.certificate_header.is_some())
            && self.secret.as_ref().is_none_or(has_secret)
            && self.certificate_header.as_ref().is_none_or(has_certificate);
        is_verified.then_some(VerifiedSender { provider: Provider::ApiPix, notification_id: None })
    }
}

/// The secret in a query. Some banks append `/pix` to the whole address, so it ends up in the query.
fn secret_in_query(query: &str) -> Option<&str> {
    let given = query.split('&').find_map(|pair| pair.strip_prefix("secret="))?;
    Some(given.strip_suffix("/pix").unwrap_or(given))
}

pub(super) fn security_scheme() -> MetaSecurityScheme {
    api_key("secret", "query", "The secret that the operator has put into the address of the webhook.")
}

/// A notification of a bank. It may have further fields.
#[derive(Object)]
#[oai(example)]
pub(super) struct PixNotification {
    #[oai(default)]
    pix: Vec<PixTransfer>,
}

/// A transfer that was received or has changed.
#[derive(Object)]
#[oai(rename_all = "camelCase")]
struct PixTransfer {
    end_to_end_id: String,
    txid: Option<String>,
    chave: Option<String>,
    /// The amount in reais: `25.00`.
    valor: Option<String>,
    horario: Option<String>,
}

impl Example for PixNotification {
    fn example() -> Self {
        let transfer = PixTransfer {
            end_to_end_id: "E12345678202009091221abcdef12345".to_owned(),
            txid: Some("0192f0c12a3b7c4d8e5f60718293a4b5".to_owned()),
            chave: Some("7d9f0335-8dcc-4054-9bf9-0dbd61d36906".to_owned()),
            valor: Some("25.00".to_owned()),
            horario: Some("2030-01-31T12:05:00Z".to_owned()),
        };
        Self { pix: vec![transfer] }
    }
}

#[cfg(test)]
mod tests {
    use super::{ApiPixVerifier, WebhookSettings, secret_in_query};

    #[test]
    fn banks_may_append_a_path_to_the_secret() {
        for query in ["secret=abc", "secret=abc/pix", "a=b&secret=abc/pix", "secret=abc&a=b"] {
            assert_eq!(secret_in_query(query), Some("abc"), "{query}");
        }
        assert_eq!(secret_in_query("secrets=abc"), None);
    }

    #[test]
    fn header_of_the_certificate_needs_a_name_and_a_proxy() {
        let error = |header: &str, has_trusted_proxies| {
            let pix_webhook_certificate_header = Some(header.to_owned());
            let settings = WebhookSettings {
                pix_webhook_secret: None,
                pix_webhook_certificate_header,
                webhook_secrets: vec![],
            };
            ApiPixVerifier::new(&settings, has_trusted_proxies).err().map(|error| error.to_string())
        };
        assert_eq!(error("X-Client-Verify", true), None);
        for invalid in ["", " ", "X-Client-Verify:", "X Client"] {
            assert!(error(invalid, true).unwrap().contains("the name of a header"), "{invalid}");
        }
        assert!(error("X-Client-Verify", false).unwrap().contains("GUILDHALL_TRUSTED_PROXIES"));
    }
}
