//! Access tokens: JWT, EdDSA, short-lived.

use std::time::Duration;

use chrono::Utc;
use guildhall_common::contract::account::{AccountId, SessionId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};

use crate::{auth::keys::Secrets, http::problem::Problem};

/// The issuer and the audience of the tokens: this site.
const ISSUER: &str = "guildhall";

#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    aud: String,
    /// The id of the account.
    sub: String,
    iat: i64,
    exp: i64,
    /// The session. It can end before the token expires.
    sid: SessionId,
}

/// Issues and verifies access tokens.
#[derive(Clone)]
pub(crate) struct AccessTokens {
    encoding: EncodingKey,
    /// One key per secret of the site.
    decoding: Vec<DecodingKey>,
    lifetime: Duration,
}

impl AccessTokens {
    pub(crate) fn new(secrets: &Secrets, lifetime: Duration) -> Self {
        let (encoding, decoding) = secrets.token_keys();
        Self { encoding, decoding, lifetime }
    }

    pub(crate) fn lifetime(&self) -> Duration {
        self.lifetime
    }

    /// A new token for the session of an account.
    ///
    /// # Errors
    /// 500 if the token cannot be signed.
    pub(crate) fn issue(&self, account_id: AccountId, session_id: SessionId) -> Result<String, Problem> {
        let now = Utc::now().timestamp();
        let claims = Claims {
            iss: ISSUER.to_owned(),
            aud: ISSUER.to_owned(),
            sub: account_id.to_string(),
            iat: now,
            exp: now + self.lifetime.as_secs() as i64,
            sid: session_id,
        };
        jsonwebtoken::encode(&Header::new(Algorithm::EdDSA), &claims, &self.encoding)
            .map_err(|error| Problem::internal("an access token cannot be signed", &error))
    }

    /// The account and the session of a valid token that is not expired.
    pub(crate) fn verify(&self, token: &str) -> Option<(AccountId, SessionId)> {
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_issuer(&[ISSUER]);
        rules.set_audience(&[ISSUER]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.leeway = 0;
        let decode = |key: &DecodingKey| jsonwebtoken::decode::<Claims>(token, key, &rules).ok();
        let claims = self.decoding.iter().find_map(decode)?.claims;
        Some((claims.sub.parse().ok()?, claims.sid))
    }
}
