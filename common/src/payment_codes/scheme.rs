//! The instant payment schemes.

use std::{fmt, str::FromStr};

use poem_openapi::Enum;
use serde::{Deserialize, Serialize};

use crate::money::Currency;

/// A scheme whose payloads are read and made here; in JSON and on the command line `pix`.
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

/// There is no such scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be one of pix, promptpay, paynow, vietqr, fps, sepa")]
pub struct UnknownScheme;

impl Scheme {
    pub const ALL: [Self; 6] =
        [Self::Pix, Self::Promptpay, Self::Paynow, Self::Vietqr, Self::Fps, Self::Sepa];

    /// What all its payments are in.
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
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        Self::ALL.into_iter().find(|scheme| scheme.name() == name).ok_or(UnknownScheme)
    }
}

#[cfg(test)]
mod tests {
    use super::{Scheme, UnknownScheme};

    #[test]
    fn a_scheme_has_one_name_everywhere() {
        for scheme in Scheme::ALL {
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
            assert_eq!(serde_json::to_value(scheme).unwrap(), scheme.name());
            assert!(UnknownScheme.to_string().contains(scheme.name()));
        }
    }
}
