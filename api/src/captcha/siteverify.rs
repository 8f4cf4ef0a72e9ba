//! A captcha of a provider with the protocol siteverify: Cloudflare Turnstile, hCaptcha, reCAPTCHA v2.
//!
//! The api sends the solution to the provider. If the provider cannot verify it, the request is refused with 503.

use std::{net::IpAddr, time::Duration};

use anyhow::{Context, bail, ensure};
use futures_util::future::{BoxFuture, FutureExt};
use reqwest::{Client, Response, Url, redirect::Policy};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use super::{
    offer::Captcha,
    verifier::{CaptchaError, CaptchaVerifier, SolutionId},
};
use crate::config::CaptchaSettings;

/// The time limit of a request to the provider.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The maximum number of bytes of a response.
const LONGEST_RESPONSE: usize = 16 * 1024;

/// The maximum number of requests at the same time.
const REQUESTS: usize = 64;

/// The errors that concern the solution. Every other error concerns the settings or the provider.
const SOLUTION_ERRORS: [&str; 6] = [
    "missing-input-response",
    "invalid-input-response",
    "timeout-or-duplicate",
    "expired-input-response",
    "already-seen-response",
    "invalid-or-already-seen-response",
];

/// Verifies solutions at the provider.
pub(super) struct Siteverify {
    http: Client,
    url: Url,
    secret: SecretString,
    site_key: String,
    requests: Semaphore,
}

/// The response of the provider. It has further fields.
#[derive(Debug, Deserialize)]
struct SiteverifyResponse {
    success: bool,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

impl Siteverify {
    /// # Errors
    /// A setting is missing or invalid.
    pub(super) fn new(settings: &CaptchaSettings) -> anyhow::Result<Self> {
        let (Some(url), Some(secret), Some(site_key)) =
            (&settings.captcha_url, &settings.captcha_secret, &settings.captcha_site_key)
        else {
            bail!(
                "GUILDHALL_CAPTCHA=siteverify needs GUILDHALL_CAPTCHA_URL, GUILDHALL_CAPTCHA_SECRET and GUILDHALL_CAPTCHA_SITE_KEY"
            );
        };
        let url = provider_url(url)?;
        ensure!(!secret.expose_secret().trim().is_empty(), "GUILDHALL_CAPTCHA_SECRET is empty");
        ensure!(!site_key.trim().is_empty(), "GUILDHALL_CAPTCHA_SITE_KEY is empty");
        // Another server must not receive the secret, so redirects are not followed.
        let http = Client::builder().timeout(TIMEOUT).redirect(Policy::none());
        Ok(Self {
            http: http.build().context("the HTTP client for the captcha provider cannot be built")?,
            url,
            secret: secret.clone(),
            site_key: site_key.clone(),
            requests: Semaphore::new(REQUESTS),
        })
    }

    async fn ask(&self, solution: &str, client: IpAddr) -> anyhow::Result<SiteverifyResponse> {
        let _permit = self.requests.try_acquire().context("too many requests at the same time")?;
        let client = client.to_canonical().to_string();
        let form = [("secret", self.secret.expose_secret()), ("response", solution), ("remoteip", &client)];
        // The error of a request has its address, which has no secret.
        let response = self.http.post(self.url.clone()).form(&form).send().await?;
        let status = response.status();
        ensure!(status.is_success(), "the status is {status}");
        serde_json::from_slice(&read_body(response).await?).context("the response cannot be read")
    }
}

/// Only a provider on this machine may be reached without encryption.
fn provider_url(text: &str) -> anyhow::Result<Url> {
    let url: Url = text.parse().context("GUILDHALL_CAPTCHA_URL is not an address")?;
    let is_local = ["127.0.0.1", "[::1]", "localhost"].contains(&url.host_str().unwrap_or_default());
    let is_allowed = url.scheme() == "https" || url.scheme() == "http" && is_local;
    ensure!(is_allowed, "GUILDHALL_CAPTCHA_URL must begin with https://");
    Ok(url)
}

async fn read_body(mut response: Response) -> anyhow::Result<Vec<u8>> {
    let mut body = vec![];
    while let Some(chunk) = response.chunk().await? {
        ensure!(body.len() + chunk.len() <= LONGEST_RESPONSE, "the response is too long");
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

impl CaptchaVerifier for Siteverify {
    fn complete(&self, captcha: Captcha) -> Captcha {
        Captcha { site_key: Some(self.site_key.clone()), ..captcha }
    }

    /// Only the provider knows whether the captcha is solved.
    fn identify(&self, solution: &str) -> Result<SolutionId, CaptchaError> {
        Ok(SolutionId(Sha256::digest(solution).into()))
    }

    fn confirm<'a>(&'a self, solution: &'a str, client: IpAddr) -> BoxFuture<'a, Result<(), CaptchaError>> {
        async move {
            match self.ask(solution, client).await {
                Ok(response) => response.judge(),
                Err(error) => {
                    let error = format!("{error:#}");
                    tracing::warn!(error, "captcha provider failed");
                    Err(CaptchaError::ProviderUnavailable)
                }
            }
        }
        .boxed()
    }
}

impl SiteverifyResponse {
    fn judge(&self) -> Result<(), CaptchaError> {
        if self.success {
            return Ok(());
        }
        let is_about_solution = |code: &String| SOLUTION_ERRORS.contains(&code.as_str());
        if self.error_codes.iter().all(is_about_solution) {
            return Err(CaptchaError::Unsolved);
        }
        tracing::error!(error.codes = ?self.error_codes, "captcha provider refused the settings");
        Err(CaptchaError::ProviderUnavailable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CaptchaKind;

    fn judge(response: &str) -> Result<(), CaptchaError> {
        serde_json::from_str::<SiteverifyResponse>(response).unwrap().judge()
    }

    /// The responses in the documentation of Turnstile and reCAPTCHA.
    #[test]
    fn responses_have_the_meaning_of_the_protocol() {
        let passed = r#"{"success": true, "challenge_ts": "2022-02-28T15:14:30.096Z", "hostname": "example.com",
            "error-codes": [], "action": "login", "cdata": "sessionid-123456789"}"#;
        assert_eq!(judge(passed), Ok(()));
        assert_eq!(judge(r#"{"success": true, "hostname": "example.com"}"#), Ok(()));
        let failed = r#"{"success": false, "error-codes": ["invalid-input-response"]}"#;
        assert_eq!(judge(failed), Err(CaptchaError::Unsolved));
        assert_eq!(judge(r#"{"success": false}"#), Err(CaptchaError::Unsolved));
        for code in ["invalid-input-secret", "internal-error", "bad-request", "sitekey-secret-mismatch"] {
            let response = format!(r#"{{"success": false, "error-codes": ["{code}"]}}"#);
            assert_eq!(judge(&response), Err(CaptchaError::ProviderUnavailable), "{code}");
        }
    }

    #[test]
    fn provider_needs_all_settings() {
        let refusal = |url: &str, secret: &str, site_key: Option<&str>| {
            let settings = CaptchaSettings {
                captcha: CaptchaKind::Siteverify,
                captcha_at: vec![],
                captcha_url: Some(url.to_owned()),
                captcha_secret: Some(secret.into()),
                captcha_site_key: site_key.map(ToOwned::to_owned),
            };
            Siteverify::new(&settings).err().unwrap().to_string()
        };
        let url = "https://provider.example/siteverify";
        assert!(refusal(url, "secret", None).contains("needs GUILDHALL_CAPTCHA_URL"));
        assert!(refusal("", "secret", Some("key")).contains("GUILDHALL_CAPTCHA_URL"));
        assert!(refusal(url, " ", Some("key")).contains("GUILDHALL_CAPTCHA_SECRET"));
        assert!(refusal(url, "secret", Some("")).contains("GUILDHALL_CAPTCHA_SITE_KEY"));
    }

    #[test]
    fn address_must_be_encrypted() {
        for allowed in ["https://api.hcaptcha.com/siteverify", "http://127.0.0.1:8000/", "http://localhost/a"]
        {
            assert!(provider_url(allowed).is_ok(), "{allowed}");
        }
        for refused in ["", "siteverify", "http://api.hcaptcha.com/siteverify", "ftp://127.0.0.1/"] {
            assert!(provider_url(refused).is_err(), "{refused}");
        }
    }
}
