//! The life of a command in types: what a domain asks for, what comes of it,
//! and the envelope both travel in.

use std::fmt;

use anyhow::{Context, ensure};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use uuid::Uuid;

/// All commands of one domain: an enum, one variant per command. Made by [`domain!`](crate::domain).
pub trait Domain: Serialize + DeserializeOwned + Send + Sync + Unpin + 'static {
    /// Names the queue, after the namespace.
    const NAME: &'static str;

    /// The wire names of all its commands.
    const COMMANDS: &'static [&'static str];

    /// The wire name of this command, e.g. `guild.invite`.
    fn name(&self) -> &'static str;
}

/// One command: what is asked for, and what comes of it when the rules allow it.
pub trait Command: Into<Self::Domain> + Send + Sync {
    type Domain: Domain;
    type Output: Serialize + DeserializeOwned + Send;
}

/// The rules say no. Each domain has its own enum of these, made by [`refusals!`](crate::refusals).
pub trait Refusal: std::error::Error {
    fn refused(&self) -> Refused;
}

/// A refusal as it is stored and answered: an outcome, never retried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub kind: RefusalKind,
    /// Stable, for programs: `guild_name_taken`.
    pub code: String,
    /// For people.
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RefusalKind {
    /// What the command names does not exist, or not for this actor.
    NotFound,
    /// It exists, and this actor may not do that to it.
    Forbidden,
    /// It may be done, but not in the present state of things.
    Conflict,
}

/// Why a command was not applied.
#[derive(Debug)]
pub enum Failure {
    Refused(Refused),
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

/// Says what a violated constraint means to the caller.
pub trait OnConstraint<T> {
    /// Turns a violation of the named constraint into the refusal; other errors stay what they are.
    ///
    /// # Errors
    /// The refusal, or the database's error.
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

/// Identifies one accepted command for ever; a repeated request has the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OperationId(pub Uuid);

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    Nobody,
    /// A signed-in account, by its id.
    Account(i64),
    /// A game server, by the id of its service token.
    Service(i64),
}

impl Actor {
    #[must_use]
    pub fn account_id(self) -> Option<i64> {
        match self {
            Self::Account(id) => Some(id),
            Self::Nobody | Self::Service(_) => None,
        }
    }
}

/// Keyed hash of a request, 32 bytes in hex: equal for a repetition, different
/// for another request under the same `Idempotency-Key`.
pub type Fingerprint = String;

/// What is published.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "D: DeserializeOwned"))]
pub struct Envelope<D> {
    /// Of the envelope itself; commands change by getting a new variant.
    pub version: u8,
    pub operation_id: OperationId,
    pub actor: Actor,
    pub accepted_at: DateTime<Utc>,
    /// The `X-Request-Id` and, where there was one, W3C `traceparent` of the request.
    pub request_id: String,
    pub traceparent: Option<String>,
    pub fingerprint: Fingerprint,
    pub command: D,
}

impl<D> Envelope<D> {
    pub const VERSION: u8 = 1;
}

impl<D: Domain> Envelope<D> {
    /// Reads what came from the domain's queue.
    ///
    /// # Errors
    /// It is no envelope of this version with a command of this domain.
    pub fn decode(body: &[u8]) -> anyhow::Result<Self> {
        let envelope: Self = serde_json::from_slice(body).context("it cannot be decoded")?;
        ensure!(
            envelope.version == Self::VERSION,
            "its envelope is of version {}, and this worker knows {}",
            envelope.version,
            Self::VERSION,
        );
        Ok(envelope)
    }
}

/// What became of a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// With the command's output.
    Applied(Box<RawValue>),
    Refused(Refused),
}

/// What is stored of an operation and replied to whoever waits for it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Settled {
    pub operation_id: OperationId,
    /// Of the request that was settled, which need not be the one that asks.
    pub fingerprint: Fingerprint,
    pub outcome: Outcome,
}

/// Declares a domain: its enum, the wire name and the output of each command.
#[macro_export]
macro_rules! domain {
    ($(#[$meta:meta])* $domain:ident = $queue:literal {
        $($wire:literal => $command:ident -> $output:ty,)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, serde::Serialize, serde::Deserialize)]
        #[serde(tag = "name", content = "body")]
        pub enum $domain {
            $(#[serde(rename = $wire)] $command($command),)+
        }

        impl $crate::command::Domain for $domain {
            const NAME: &'static str = $queue;
            const COMMANDS: &'static [&'static str] = &[$($wire),+];

            fn name(&self) -> &'static str {
                match self {
                    $(Self::$command(_) => $wire,)+
                }
            }
        }

        $(
            impl From<$command> for $domain {
                fn from(command: $command) -> Self {
                    Self::$command(command)
                }
            }

            impl $crate::command::Command for $command {
                type Domain = $domain;
                type Output = $output;
            }
        )+
    };
}

/// Declares the refusals of a domain: kind, name, stable code, sentence.
#[macro_export]
macro_rules! refusals {
    ($(#[$meta:meta])* $name:ident {
        $($kind:ident $variant:ident $code:literal $detail:literal;)+
    }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
        pub enum $name {
            $(#[error($detail)] $variant,)+
        }

        impl $name {
            /// All there are, for those who describe them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }

        impl $crate::command::Refusal for $name {
            fn refused(&self) -> $crate::command::Refused {
                let (kind, code) = match self {
                    $(Self::$variant => ($crate::command::RefusalKind::$kind, $code),)+
                };
                $crate::command::Refused { kind, code: code.to_owned(), detail: self.to_string() }
            }
        }
    };
}
