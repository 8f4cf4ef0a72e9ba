//! The secrets of mails: tokens and codes. They are derived from the id of the mail and a key that only the workers have. So a mail
//! that is sent again has the same secrets, and the database needs only their hashes.

use anyhow::{Context, ensure};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use guildhall_common::contract::mail::MailId;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// The number of codes: eight digits.
const CODES: u64 = 100_000_000;

/// The keys of the workers, the current one first. The others belong to mails that were written before it was replaced.
pub(crate) struct MailKeys(Vec<Vec<u8>>);

/// The secrets of one mail.
pub(crate) struct MailSecrets {
    pub(crate) token: String,
    /// Eight digits.
    pub(crate) code: String,
}

impl MailKeys {
    /// # Errors
    /// There is no key, or one is shorter than 32 bytes.
    pub(crate) fn new(secrets: &[SecretString]) -> anyhow::Result<Self> {
        let parse = |secret: &SecretString| {
            let key = STANDARD.decode(secret.expose_secret().trim()).context("it is not base64")?;
            ensure!(key.len() >= 32, "it has only {} bytes", key.len());
            Ok(key)
        };
        let keys: Vec<_> = secrets.iter().map(parse).collect::<anyhow::Result<_>>().context(
            "GUILDHALL_MAIL_SECRET must be at least 32 random bytes in base64: openssl rand -base64 32",
        )?;
        ensure!(!keys.is_empty(), "GUILDHALL_MAIL_SECRET is required if GUILDHALL_SMTP_URL is set");
        Ok(Self(keys))
    }

    /// The secrets of a new mail.
    pub(crate) fn secrets(&self, mail_id: MailId) -> MailSecrets {
        secrets(&self.0[0], mail_id)
    }

    /// The secrets of a stored mail: those whose token has this hash. None if their key was removed.
    pub(crate) fn secrets_of(&self, mail_id: MailId, token_hash: &[u8]) -> Option<MailSecrets> {
        self.0.iter().map(|key| secrets(key, mail_id)).find(|secrets| secrets.token_hash()[..] == *token_hash)
    }
}

fn secrets(key: &[u8], mail_id: MailId) -> MailSecrets {
    let derive = |purpose: &str| -> [u8; 32] {
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes keys of any length");
        mac.update(purpose.as_bytes());
        mac.update(mail_id.get().as_bytes());
        mac.finalize().into_bytes().into()
    };
    let [a, b, c, d, e, f, g, h, ..] = derive("mail code");
    MailSecrets {
        token: URL_SAFE_NO_PAD.encode(derive("mail token")),
        code: format!("{:08}", u64::from_be_bytes([a, b, c, d, e, f, g, h]) % CODES),
    }
}

impl MailSecrets {
    pub(crate) fn token_hash(&self) -> [u8; 32] {
        Sha256::digest(self.token.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn secrets_follow_from_the_mail_and_the_key() {
        let key = |byte: u8| SecretString::from(STANDARD.encode([byte; 32]));
        let old = MailKeys::new(&[key(1)]).unwrap();
        let (mail_id, other) = (MailId::from(Uuid::from_u128(1)), MailId::from(Uuid::from_u128(2)));
        let secrets = old.secrets(mail_id);
        assert_eq!((secrets.token.len(), secrets.code.len()), (43, 8));
        assert_eq!(old.secrets(mail_id).token, secrets.token);
        assert_ne!(old.secrets(other).token, secrets.token);
        let rotated = MailKeys::new(&[key(2), key(1)]).unwrap();
        assert_ne!(rotated.secrets(mail_id).token, secrets.token);
        let found = rotated.secrets_of(mail_id, &secrets.token_hash()).unwrap();
        assert_eq!((found.token, found.code), (secrets.token.clone(), secrets.code.clone()));
        assert!(MailKeys::new(&[key(2)]).unwrap().secrets_of(mail_id, &secrets.token_hash()).is_none());
    }

    #[test]
    fn short_and_missing_keys_are_errors() {
        assert!(MailKeys::new(&[]).is_err());
        assert!(MailKeys::new(&[STANDARD.encode([1; 31]).into()]).is_err());
        assert!(MailKeys::new(&["not base64".into()]).is_err());
    }
}
