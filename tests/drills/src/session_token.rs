//! The access token of an account, and its refusal before its end: the site has lost the session.

use std::time::{Duration, Instant};

use anyhow::Context;
use serde_json::Value;
use uuid::Uuid;

/// A token has the time of its end in whole seconds.
const PRECISION: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub(crate) struct SessionToken {
    pub(crate) text: String,
    /// From the request to the response.
    log_in: [Instant; 2],
    lifetime: Duration,
}

/// The refusal of a token before its end. Times count from the start of the journal.
#[derive(Debug, Clone)]
pub(crate) struct EarlyRefusal {
    pub(crate) account: String,
    pub(crate) key: Uuid,
    pub(crate) log_in: [Duration; 2],
    pub(crate) request: [Duration; 2],
}

impl SessionToken {
    /// The token in the response to a log-in that was sent at this time.
    ///
    /// # Errors
    /// When the response has no token.
    pub(crate) fn from_session(session: &Value, sent: Instant) -> anyhow::Result<Self> {
        let text = session["access_token"].as_str().context("no access token")?.to_owned();
        let lifetime = session["expires_in"].as_u64().context("an access token without a lifetime")?;
        Ok(Self { text, log_in: [sent, Instant::now()], lifetime: Duration::from_secs(lifetime) })
    }

    /// A token that the client has not received in a log-in. Its lifetime is not known.
    pub(crate) fn without_lifetime(text: String) -> Self {
        Self { text, log_in: [Instant::now(); 2], lifetime: Duration::ZERO }
    }

    /// The refusal of this token, if it comes before its end. The site issued the token after the log-in was sent.
    pub(crate) fn early_refusal(
        &self,
        account: &str,
        key: Uuid,
        sent: Instant,
        journal_started: Instant,
    ) -> Option<EarlyRefusal> {
        let refused = Instant::now();
        (refused - self.log_in[0] + PRECISION < self.lifetime).then(|| EarlyRefusal {
            account: account.to_owned(),
            key,
            log_in: self.log_in.map(|time| time - journal_started),
            request: [sent, refused].map(|time| time - journal_started),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refusal(lifetime: u64) -> Option<EarlyRefusal> {
        let now = Instant::now();
        let session = json!({ "access_token": "token", "expires_in": lifetime });
        let token = SessionToken::from_session(&session, now).unwrap();
        token.early_refusal("mira", Uuid::nil(), now, now)
    }

    #[test]
    fn only_the_refusal_before_the_end_of_a_token_is_early() {
        assert!(refusal(900).is_some());
        assert!(refusal(1).is_none());
    }

    #[test]
    fn a_token_without_a_known_lifetime_has_no_early_refusal() {
        let token = SessionToken::without_lifetime("token".to_owned());
        let now = Instant::now();
        assert!(token.early_refusal("game", Uuid::nil(), now, now).is_none());
    }
}
