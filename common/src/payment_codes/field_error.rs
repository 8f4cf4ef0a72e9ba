//! The error of a single field.

use crate::money::{Currency, MoneyError};

/// A field breaks a rule. The text follows the place of the field: `data object 53 must be in BRL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PayloadFieldError {
    #[error("is required")]
    Missing,
    #[error("must have {min} to {max} characters")]
    Length { min: usize, max: usize },
    #[error("must be {0}")]
    Format(&'static str),
    #[error("must have check digits that match the other characters")]
    CheckDigits,
    #[error("must be more than zero and have at most {max} characters")]
    Amount { max: usize },
    #[error("must be in {0}")]
    Currency(Currency),
    #[error(transparent)]
    Money(#[from] MoneyError),
}
