//! The instant payment schemes.

use std::{fmt, str::FromStr};

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::money::Currency;

/// A payment scheme. In JSON and on the command line its name in lower case: `pix`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, Enum, sqlx::Type)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Scheme {
    /// Brazil.
    Pix,
    /// Thailand.
    Promptpay,
    /// Singapore.
    Paynow,
    /// Vietnam.
    Vietqr,
    /// Hong Kong.
    Fps,
    /// The Single Euro Payments Area.
    Sepa,
}

/// A text is not the name of a scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of pix, promptpay, paynow, vietqr, fps, sepa")]
pub struct UnknownSchemeError;

impl Scheme {
    pub const ALL: [Self; 6] =
        [Self::Pix, Self::Promptpay, Self::Paynow, Self::Vietqr, Self::Fps, Self::Sepa];

    /// The currency of all payments of the scheme.
    #[must_use]
    pub fn currency(self) -> Currency {
        match self {
            Self::Pix => Currency::Brl,
            Self::Promptpay => Currency::Thb,
            Self::Paynow => Currency::Sgd,
            Self::Vietqr => Currency::Vnd,
            Self::Fps => Currency::Hkd,
            Self::Sepa => Currency::Eur,
        }
    }

    /// The name in JSON and on the command line: `pix`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pix => "pix",
            Self::Promptpay => "promptpay",
            Self::Paynow => "paynow",
            Self::Vietqr => "vietqr",
            Self::Fps => "fps",
            Self::Sepa => "sepa",
        }
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Scheme {
    type Err = UnknownSchemeError;

    fn from_str(name: &str) -> Result<Self, UnknownSchemeError> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name).ok_or(UnknownSchemeError)
    }
}

#[cfg(test)]
mod tests {
    use super::{Scheme, UnknownSchemeError};

    #[test]
    fn the_name_of_a_scheme_is_the_same_in_text_and_json() {
        for scheme in Scheme::ALL {
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
            assert_eq!(serde_json::to_value(scheme).unwrap(), scheme.name());
            assert!(UnknownSchemeError.to_string().contains(scheme.name()));
        }
    }
}
