//! Access tokens: JWT, EdDSA, short-lived.

use std::{sync::Arc, time::Duration};

use chrono::Utc;
use guildhall_common::contract::account::{AccountId, SessionId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{auth::keys::Secrets, http::problem::Problem};

/// The issuer and the audience of the tokens: this site.
const ISSUER: &str = "guildhall";

/// The number of verified tokens that a process remembers: about 1 MB.
const REMEMBERED: usize = 10_000;

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

/// What a valid token says. It stays true until the token expires: the signature of a token never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Verified {
    account_id: AccountId,
    session_id: SessionId,
    /// In seconds since 1970.
    expires_at: i64,
}

/// Issues and verifies access tokens.
#[derive(Clone)]
pub(crate) struct AccessTokens {
    encoding: EncodingKey,
    /// One key per secret of the site.
    decoding: Vec<DecodingKey>,
    lifetime: Duration,
    /// By SHA-256 of the token. To verify a signature takes 60 µs.
    verified: Arc<Cache<[u8; 32], Verified>>,
}

impl AccessTokens {
    pub(crate) fn new(secrets: &Secrets, lifetime: Duration) -> Self {
        let (encoding, decoding) = secrets.token_keys();
        Self { encoding, decoding, lifetime, verified: Arc::new(Cache::new(REMEMBERED)) }
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
        let hash = Sha256::digest(token).into();
        let verified = match self.verified.get(&hash) {
            Some(verified) => (verified.expires_at > Utc::now().timestamp()).then_some(verified),
            None => {
                let verified = self.verify_signature(token)?;
                self.verified.insert(hash, verified);
                Some(verified)
            }
        };
        verified.map(|Verified { account_id, session_id, .. }| (account_id, session_id))
    }

    fn verify_signature(&self, token: &str) -> Option<Verified> {
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_issuer(&[ISSUER]);
        rules.set_audience(&[ISSUER]);
        rules.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        rules.leeway = 0;
        let decode = |key: &DecodingKey| jsonwebtoken::decode::<Claims>(token, key, &rules).ok();
        let claims = self.decoding.iter().find_map(decode)?.claims;
        let account_id = claims.sub.parse().ok()?;
        Some(Verified { account_id, session_id: claims.sid, expires_at: claims.exp })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn remembered_token_is_refused_when_it_has_expired() {
        let secrets = Secrets::new(&["q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==".into()]);
        let tokens = AccessTokens::new(&secrets.unwrap(), Duration::from_secs(60));
        let (account_id, session_id) = (1.try_into().unwrap(), Uuid::now_v7().into());
        let token = tokens.issue(account_id, session_id).unwrap();
        for _ in 0..2 {
            assert_eq!(tokens.verify(&token), Some((account_id, session_id)));
        }
        let hash = Sha256::digest(&token).into();
        let verified = tokens.verified.get(&hash).unwrap();
        tokens.verified.insert(hash, Verified { expires_at: Utc::now().timestamp(), ..verified });
        assert_eq!(tokens.verify(&token), None);
    }
}
