//! Pix, the scheme of Brazil.
//!
//! Source: Banco Central do Brasil, manual of standards for Pix initiation (BR Code), and the
//! examples of its API Pix.

mod code;
mod pix_key;
#[cfg(test)]
mod tests;

pub use self::{
    code::{
        DynamicCode, PayloadLocation, PaymentDescription, Pix, RecurrenceCode, StaticCode, TransactionId,
    },
    pix_key::{Cnpj, Cpf, EmailKey, Evp, PhoneKey, PixKey},
};
