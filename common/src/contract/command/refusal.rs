//! Refusals: the reasons to refuse a command, and other failures of its rule.

use serde::{Deserialize, Serialize};

/// A reason to refuse a command. Each domain has an enum of them. [`refusals!`](crate::refusals) declares it.
pub trait Refusal: std::error::Error {
    fn refused(&self) -> Refused;
}

/// A refusal as it is stored and returned. It is an outcome, so it is never retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub kind: RefusalKind,
    /// A stable code for programs: `guild_name_taken`.
    pub code: String,
    /// A sentence for people.
    pub detail: String,
}

impl Refused {
    /// The refusal of a request under an idempotency key that was used for another request.
    #[must_use]
    pub fn key_reused() -> Self {
        Self {
            kind: RefusalKind::KeyReused,
            code: "idempotency_key_reused".to_owned(),
            detail: "This Idempotency-Key was used for another request.".to_owned(),
        }
    }
}

/// The kind of a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// Something that the command names does not exist, or this actor cannot see it.
    NotFound,
    /// It exists, but this actor may not do this.
    Forbidden,
    /// The actor may do this, but the current state does not allow it.
    Conflict,
    /// The idempotency key belongs to a different request.
    KeyReused,
}

/// Why the rule of a command returns no output.
#[derive(Debug)]
pub enum Failure {
    /// The rules do not allow it. This is the outcome.
    Refused(Refused),
    /// A job completes the command later, because it waits for another system, such as a bank.
    Deferred,
    /// The database failed. The command is retried.
    Broken(sqlx::Error),
}

impl<R: Refusal> From<R> for Failure {
    fn from(refusal: R) -> Self {
        Self::Refused(refusal.refused())
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Broken(error)
    }
}

/// Turns violated constraints into refusals.
pub trait OnConstraint<T> {
    /// Turns a violation of the named constraint into the refusal. Other errors stay as they are.
    ///
    /// # Errors
    /// The refusal, or the error of the database.
    fn on_constraint(self, name: &str, refusal: impl Refusal) -> Result<T, Failure>;
}

impl<T> OnConstraint<T> for Result<T, Failure> {
    fn on_constraint(self, name: &str, refusal: impl Refusal) -> Self {
        self.map_err(|failure| match failure {
            Failure::Broken(sqlx::Error::Database(error)) if error.constraint() == Some(name) => {
                refusal.into()
            }
            other => other,
        })
    }
}

impl<T> OnConstraint<T> for Result<T, sqlx::Error> {
    fn on_constraint(self, name: &str, refusal: impl Refusal) -> Result<T, Failure> {
        self.map_err(Failure::from).on_constraint(name, refusal)
    }
}

/// Declares the refusals of a domain: kind, name, stable code, sentence for people.
#[macro_export]
macro_rules! refusals {
    ($name:ident {
        $($kind:ident $variant:ident $code:literal $detail:literal;)+
    }) => {
        $crate::refusal_enum! { $name { $($kind $variant $code $detail;)+ } }

        impl $name {
            /// All refusals of the domain, for the documentation.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }
    };
}

/// Declares an enum of refusals without a list of them.
#[macro_export]
macro_rules! refusal_enum {
    ($name:ident {
        $($kind:ident $variant:ident $code:literal $detail:literal;)+
    }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
        pub enum $name {
            $(#[error($detail)] $variant,)+
        }

        impl $crate::contract::command::Refusal for $name {
            fn refused(&self) -> $crate::contract::command::Refused {
                let (kind, code) = match self {
                    $(Self::$variant => ($crate::contract::command::RefusalKind::$kind, $code),)+
                };
                $crate::contract::command::Refused { kind, code: code.to_owned(), detail: self.to_string() }
            }
        }
    };
}
