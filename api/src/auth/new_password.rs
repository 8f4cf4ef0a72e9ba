//! The rules for new passwords.

use std::fmt;

use guildhall_common::{
    contract::opaque_string::opaque_string,
    invalid_value::{FieldErrorCode, FieldErrorParameters, InvalidValue, PasswordWeakness},
    openapi_schema,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use zxcvbn::{Score, feedback::Warning, zxcvbn};

use crate::http::problem::Problem;

/// The characters that are judged. A longer password is as good as its beginning, or better.
const JUDGED: usize = 100;

/// The weakest password that is accepted: about 10^8 guesses. With a stolen hash, each guess costs 20 ms of a processor.
const WEAKEST: Score = Score::Three;

/// 10 to 256 characters. Never logged.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct NewPassword(SecretString);

impl std::str::FromStr for NewPassword {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let text = opaque_string(text);
        let characters = text.chars().count();
        if !(10..=256).contains(&characters) {
            return Err(InvalidValue::length(characters, 10, 256));
        }
        Ok(Self(text.into()))
    }
}

impl TryFrom<String> for NewPassword {
    type Error = InvalidValue;

    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}

impl From<NewPassword> for String {
    fn from(_: NewPassword) -> Self {
        "(a hidden password)".to_owned()
    }
}

impl fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

openapi_schema!(named NewPassword, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
    schema.description = Some("A password that is hard to guess: several words are better than special characters.");
    schema.format = Some("password");
    schema.min_length = Some(10);
    schema.max_length = Some(256);
    schema.example = Some("amber lantern harbour".into());
});

impl NewPassword {
    pub(super) fn as_bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }

    /// Checks that the password is hard to guess for a person who knows these names.
    ///
    /// # Errors
    /// 400 with the reason.
    pub(super) fn judge(&self, names: &[String]) -> Result<(), Problem> {
        let judged: String = self.0.expose_secret().chars().take(JUDGED).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).chain(["guildhall"]).collect();
        let entropy = zxcvbn(&judged, &names);
        if entropy.score() >= WEAKEST {
            return Ok(());
        }
        let warning = entropy.feedback().and_then(|feedback| feedback.warning());
        let reason = warning.map(|warning| format!(" {warning}")).unwrap_or_default();
        let detail = format!("is easy to guess.{reason} Use several uncommon words");
        let weakness = warning.map(weakness);
        let error = InvalidValue::new(FieldErrorCode::EasyToGuess, detail)
            .with(FieldErrorParameters { weakness, ..FieldErrorParameters::default() });
        Err(Problem::invalid("/password", error))
    }
}

fn weakness(warning: Warning) -> PasswordWeakness {
    match warning {
        Warning::ThisIsATop10Password
        | Warning::ThisIsATop100Password
        | Warning::ThisIsACommonPassword
        | Warning::ThisIsSimilarToACommonlyUsedPassword => PasswordWeakness::CommonPassword,
        Warning::RepeatsLikeAaaAreEasyToGuess | Warning::RepeatsLikeAbcAbcAreOnlySlightlyHarderToGuess => {
            PasswordWeakness::Repetition
        }
        Warning::StraightRowsOfKeysAreEasyToGuess
        | Warning::ShortKeyboardPatternsAreEasyToGuess
        | Warning::SequencesLikeAbcAreEasyToGuess => PasswordWeakness::Sequence,
        Warning::RecentYearsAreEasyToGuess | Warning::DatesAreOftenEasyToGuess => PasswordWeakness::Date,
        Warning::NamesAndSurnamesByThemselvesAreEasyToGuess
        | Warning::CommonNamesAndSurnamesAreEasyToGuess => PasswordWeakness::Name,
        Warning::AWordByItselfIsEasyToGuess => PasswordWeakness::Word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(password: &str, names: &[&str]) -> Result<(), Option<PasswordWeakness>> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let password: NewPassword = password.parse().map_err(|_| None)?;
        let judged = password.judge(&names);
        judged.map_err(|problem| {
            let error = problem.errors.into_iter().next().unwrap();
            assert_eq!(error.code, FieldErrorCode::EasyToGuess);
            error.parameters.and_then(|parameters| parameters.weakness)
        })
    }

    #[test]
    fn guessable_passwords_are_refused() {
        for password in ["password123", "qwertyuiop", "1234567890", "aaaaaaaaaaaa", "mira_mira_mira"] {
            assert!(judge(password, &["mira", "mira@example.org"]).is_err(), "{password}");
        }
        for password in ["amber lantern harbour", "correct horse", "g8#kQ2!vZp"] {
            assert_eq!(judge(password, &["mira"]), Ok(()), "{password}");
        }
        assert!(judge("short", &[]).is_err() && judge(&"x".repeat(257), &[]).is_err());
    }

    #[test]
    fn the_reason_is_data() {
        for (password, weakness) in [
            ("password123", PasswordWeakness::CommonPassword),
            ("aaaaaaaaaaaa", PasswordWeakness::Repetition),
            ("abcdefghijkl", PasswordWeakness::Sequence),
        ] {
            assert_eq!(judge(password, &[]), Err(Some(weakness)), "{password}");
        }
    }

    #[test]
    fn long_password_is_judged_in_little_time() {
        assert_eq!(judge(&"amber lantern ".repeat(18), &[]), Ok(()));
    }
}
