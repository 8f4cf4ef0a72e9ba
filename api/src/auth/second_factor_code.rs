//! The codes that prove a second factor: those of an authenticator app, and recovery codes.

use data_encoding::BASE32_NOPAD;
use guildhall_common::{
    contract::{account::AccountId, secret_hash::hash_code},
    text_types,
};

text_types! {
    /// The six digits of an authenticator app, or a recovery code. Spaces and hyphens are ignored.
    SecondFactorCode { 6 ..= 32, "^[0-9A-Za-z -]+$", "123456" }
}

/// The number of recovery codes of an account.
const RECOVERY_CODES: usize = 10;

/// A code that a client presents.
pub(crate) enum PresentedCode {
    /// Six digits.
    App(String),
    Recovery(RecoveryCode),
}

/// A recovery code in lower case, without hyphens.
pub(crate) struct RecoveryCode(String);

impl From<SecondFactorCode> for PresentedCode {
    fn from(code: SecondFactorCode) -> Self {
        let code: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
        match code.len() {
            6 => Self::App(code),
            _ => Self::Recovery(RecoveryCode(code.to_ascii_lowercase())),
        }
    }
}

impl RecoveryCode {
    /// A code of 80 random bits.
    fn random() -> Self {
        Self(BASE32_NOPAD.encode(&rand::random::<[u8; 10]>()).to_ascii_lowercase())
    }

    /// As it is shown: `abcd-efgh-ijkl-mnop`.
    fn shown(&self) -> String {
        [&self.0[..4], &self.0[4..8], &self.0[8..12], &self.0[12..]].join("-")
    }

    /// The stored form, in hex. Equal codes of two accounts have different hashes.
    pub(crate) fn hash(&self, account_id: AccountId) -> String {
        hash_code(account_id, &self.0)
    }
}

/// New recovery codes as they are shown, and their hashes.
pub(crate) fn new_recovery_codes(account_id: AccountId) -> (Vec<String>, Vec<String>) {
    let codes = std::iter::repeat_with(RecoveryCode::random).take(RECOVERY_CODES);
    codes.map(|code| (code.shown(), code.hash(account_id))).unzip()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn presented(code: &str) -> PresentedCode {
        code.parse::<SecondFactorCode>().unwrap().into()
    }

    #[test]
    fn recovery_code_is_recognised_however_it_is_written() {
        let [account_id, other] = [1, 2].map(|id: i64| AccountId::try_from(id).unwrap());
        let (shown, hashes) = new_recovery_codes(account_id);
        assert_eq!(shown.iter().collect::<BTreeSet<_>>().len(), RECOVERY_CODES);
        assert_eq!(shown[0].len(), 19);
        for written in [shown[0].clone(), shown[0].to_uppercase(), shown[0].replace('-', " ")] {
            let PresentedCode::Recovery(code) = presented(&written) else { panic!("{written}") };
            assert_eq!(code.hash(account_id), hashes[0]);
            assert_ne!(code.hash(other), hashes[0]);
        }
    }

    #[test]
    fn code_of_an_app_may_have_spaces() {
        for written in ["123456", "123 456", "123-456"] {
            assert!(matches!(presented(written), PresentedCode::App(code) if code == "123456"));
        }
    }
}
