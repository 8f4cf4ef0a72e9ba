//! Values that only the api can read, although they are stored elsewhere: encrypted with XChaCha20-Poly1305.
//!
//! Each purpose has a key of its own. The associated data binds a value to its owner, so no value can take the place of another.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use chrono::{DateTime, TimeDelta, Utc};
use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::auth::keys::Secrets;

/// The bytes of a nonce, which stand before the encrypted value. They are random, and long enough to never repeat.
const NONCE: usize = 24;

/// What a value is for. The names are part of the keys, so they must not change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SealPurpose {
    /// The secret of an authenticator app, in the database.
    SecondFactor,
    /// The secret of an authenticator app before it is enabled, at the client.
    Enrolment,
    /// A log-in that needs a code, at the client.
    Challenge,
}

impl SealPurpose {
    fn name(self) -> &'static str {
        match self {
            Self::SecondFactor => "second factor",
            Self::Enrolment => "second factor enrolment",
            Self::Challenge => "log-in challenge",
        }
    }
}

/// A decrypted value.
pub(crate) struct Opened {
    pub(crate) value: Vec<u8>,
    /// Whether it was encrypted with the first secret of the site.
    pub(crate) is_current: bool,
}

/// A value of a client, which expires.
#[derive(Serialize, Deserialize)]
struct Expiring<T> {
    value: T,
    expires_at: DateTime<Utc>,
}

impl Secrets {
    /// Encrypts a value for its owner.
    pub(crate) fn seal(&self, purpose: SealPurpose, owner: &str, value: &[u8]) -> Vec<u8> {
        let nonce = rand::random::<[u8; NONCE]>();
        let sealed = XChaCha20Poly1305::new(&self.first_key(purpose.name()).into())
            .encrypt(&XNonce::from(nonce), Payload { msg: value, aad: owner.as_bytes() })
            .expect("XChaCha20-Poly1305 encrypts values of up to 256 GiB");
        [nonce.as_slice(), &sealed].concat()
    }

    /// Decrypts a value of this owner. None if it was made for another owner or purpose, was changed, or is of another site.
    pub(crate) fn open(&self, purpose: SealPurpose, owner: &str, sealed: &[u8]) -> Option<Opened> {
        let (nonce, sealed) = sealed.split_first_chunk::<NONCE>()?;
        self.all_keys(purpose.name()).enumerate().find_map(|(index, key)| {
            let payload = Payload { msg: sealed, aad: owner.as_bytes() };
            let value = XChaCha20Poly1305::new(&key.into()).decrypt(&XNonce::from(*nonce), payload).ok()?;
            Some(Opened { value, is_current: index == 0 })
        })
    }

    /// Encrypts a value that a client keeps until it expires.
    pub(crate) fn seal_for_client<T: Serialize>(
        &self,
        purpose: SealPurpose,
        owner: &str,
        value: T,
        lifetime: TimeDelta,
    ) -> String {
        let value = serde_json::to_vec(&Expiring { value, expires_at: Utc::now() + lifetime });
        BASE64URL_NOPAD.encode(&self.seal(purpose, owner, &value.unwrap_or_default()))
    }

    /// Decrypts a value of a client. None also if it has expired.
    pub(crate) fn open_from_client<T: DeserializeOwned>(
        &self,
        purpose: SealPurpose,
        owner: &str,
        sealed: &str,
    ) -> Option<T> {
        let opened = self.open(purpose, owner, &BASE64URL_NOPAD.decode(sealed.as_bytes()).ok()?)?;
        let Expiring { value, expires_at } = serde_json::from_slice(&opened.value).ok()?;
        (expires_at > Utc::now()).then_some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==";
    const NEW: &str = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

    fn secrets(texts: &[&str]) -> Secrets {
        Secrets::new(&texts.iter().map(|text| (*text).into()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn value_is_only_for_its_owner_and_purpose() {
        let secrets = secrets(&[OLD]);
        let sealed = secrets.seal(SealPurpose::SecondFactor, "1", b"secret");
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
        assert_ne!(sealed, secrets.seal(SealPurpose::SecondFactor, "1", b"secret"));
        assert_eq!(secrets.open(SealPurpose::SecondFactor, "1", &sealed).unwrap().value, b"secret");
        assert!(secrets.open(SealPurpose::SecondFactor, "2", &sealed).is_none());
        assert!(secrets.open(SealPurpose::Enrolment, "1", &sealed).is_none());
        for index in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[index] ^= 1;
            assert!(secrets.open(SealPurpose::SecondFactor, "1", &changed).is_none());
        }
        for length in 0..sealed.len() {
            assert!(secrets.open(SealPurpose::SecondFactor, "1", &sealed[..length]).is_none());
        }
    }

    #[test]
    fn all_secrets_decrypt_and_the_first_one_encrypts() {
        let sealed = secrets(&[OLD]).seal(SealPurpose::SecondFactor, "1", b"secret");
        let both = secrets(&[NEW, OLD]);
        assert!(!both.open(SealPurpose::SecondFactor, "1", &sealed).unwrap().is_current);
        assert!(secrets(&[NEW]).open(SealPurpose::SecondFactor, "1", &sealed).is_none());
        let sealed = both.seal(SealPurpose::SecondFactor, "1", b"secret");
        assert!(secrets(&[NEW]).open(SealPurpose::SecondFactor, "1", &sealed).unwrap().is_current);
    }

    #[test]
    fn value_of_a_client_expires() {
        let secrets = secrets(&[OLD]);
        let open = |lifetime| {
            let sealed = secrets.seal_for_client(SealPurpose::Challenge, "", 7, lifetime);
            secrets.open_from_client::<i32>(SealPurpose::Challenge, "", &sealed)
        };
        assert_eq!(open(TimeDelta::minutes(5)), Some(7));
        assert_eq!(open(TimeDelta::zero()), None);
        for forged in ["", "A", "not base64!", &"A".repeat(200)] {
            assert_eq!(secrets.open_from_client::<i32>(SealPurpose::Challenge, "", forged), None);
        }
    }

    /// Another key would make the second factors of all accounts unreadable.
    #[test]
    fn keys_stay_the_same() {
        let keys = [SealPurpose::SecondFactor, SealPurpose::Enrolment, SealPurpose::Challenge]
            .map(|purpose| hex::encode(secrets(&[OLD]).first_key(purpose.name())));
        assert_eq!(
            keys,
            [
                "76f401280187f25344c2881af7a7d18c650cfe8647f8c958754ef98d047c0638",
                "03fb3143846aa71c7327d2aab6787b992f634f3053e7976fc19391936239768e",
                "3b5eb8a41d678083e3e99a1ef719dabf99313e479ae65c97feb95a5d6514646c",
            ]
        );
    }
}
