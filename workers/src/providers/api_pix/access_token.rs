//! Access tokens of the bank (OAuth 2.0 client credentials).

use std::time::{Duration, Instant};

use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use tokio::{sync::Mutex, time::timeout};

use crate::providers::api_pix::request_error::{RequestError, read_response};

const SCOPES: &str = "cob.read cob.write pix.read pix.write webhook.read webhook.write";

/// How long a request may wait while another one fetches the token.
const WAIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A token is not used in the last seconds of its lifetime.
const EXPIRY_MARGIN: Duration = Duration::from_secs(10);

/// Fetches access tokens and keeps the current one.
pub(super) struct BankAccessTokens {
    url: String,
    client_id: String,
    client_secret: SecretString,
    current: Mutex<Option<BankAccessToken>>,
}

#[derive(Clone)]
pub(super) struct BankAccessToken {
    text: SecretString,
    use_until: Instant,
}

/// The token response of RFC 6749, section 5.1.
#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    #[serde(default = "five_minutes")]
    expires_in: u64,
}

fn five_minutes() -> u64 {
    300
}

/// A final response to a request for a token says nothing about the payment for which the token is needed: that request was not
/// sent, and can be sent later.
fn without_final(error: RequestError) -> RequestError {
    match error {
        RequestError::Final(error) => {
            RequestError::Rejected { reason: format!("no access token: {error}"), retry_after: None }
        }
        other => other,
    }
}

impl BankAccessToken {
    pub(super) fn text(&self) -> &str {
        self.text.expose_secret()
    }
}

impl BankAccessTokens {
    pub(super) fn new(url: String, client_id: String, client_secret: SecretString) -> Self {
        Self { url, client_id, client_secret, current: Mutex::default() }
    }

    /// The current token. If it has expired, one task fetches a new one for all.
    pub(super) async fn get(&self, http: &reqwest::Client) -> Result<BankAccessToken, RequestError> {
        let Ok(mut current) = timeout(WAIT_TIMEOUT, self.current.lock()).await else {
            return Err(RequestError::NotSent("too many requests wait for an access token"));
        };
        if let Some(token) = current.as_ref().filter(|token| Instant::now() < token.use_until) {
            return Ok(token.clone());
        }
        let token = self.fetch(http).await?;
        *current = Some(token.clone());
        Ok(token)
    }

    async fn fetch(&self, http: &reqwest::Client) -> Result<BankAccessToken, RequestError> {
        let request = http
            .post(&self.url)
            .basic_auth(&self.client_id, Some(self.client_secret.expose_secret()))
            .form(&[("grant_type", "client_credentials"), ("scope", SCOPES)]);
        let body = read_response(request.send().await?).await.map_err(without_final)?;
        let response: TokenResponse =
            serde_json::from_slice(&body).map_err(|error| RequestError::Failed {
                reason: format!("its access token cannot be read: {error}"),
                retry_after: None,
            })?;
        let lifetime = Duration::from_secs(response.expires_in).saturating_sub(EXPIRY_MARGIN);
        Ok(BankAccessToken { text: response.access_token.into(), use_until: Instant::now() + lifetime })
    }

    /// Drops a token that the bank rejected, unless another task has already replaced it.
    pub(super) async fn discard(&self, rejected: &BankAccessToken) {
        self.current.lock().await.take_if(|current| current.text() == rejected.text());
    }
}
