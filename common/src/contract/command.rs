//! Commands, their outcomes, and the envelope of a queued command.

use anyhow::{Context, ensure};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use uuid::Version;

pub use super::actor::Actor;
use super::{
    idempotency_key::{Fingerprint, KeyUse},
    partition_key::Partitioned,
};
use crate::uuid_ids;

/// All commands of one domain: an enum with one variant per command. [`domain!`](crate::domain) declares it.
pub trait Domain: Partitioned + Serialize + DeserializeOwned + Send + Sync + Unpin + 'static {
    /// The name of the domain, with which the names of its queues begin after the namespace.
    const NAME: &'static str;

    /// The wire names of all its commands.
    const COMMANDS: &'static [&'static str];

    /// The wire name of this command, e.g. `guild.invite`.
    fn name(&self) -> &'static str;
}

/// One command, and its output when the rules allow it.
pub trait Command: Into<Self::Domain> + Send + Sync {
    type Domain: Domain;
    type Output: Serialize + DeserializeOwned + Send;
}

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

/// Why a command was not applied.
#[derive(Debug)]
pub enum Failure {
    /// The rules do not allow it. This is the outcome.
    Refused(Refused),
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

uuid_ids! {
    /// The id of an operation: one accepted command.
    OperationId
}

/// A command with its metadata, as it is queued.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "D: DeserializeOwned"))]
pub struct Envelope<D> {
    /// The version of the envelope: 2 with uses of keys, else 1. A changed command is a new variant instead.
    pub version: u8,
    pub operation_id: OperationId,
    pub actor: Actor,
    pub accepted_at: DateTime<Utc>,
    /// The `X-Request-Id` of the request.
    pub request_id: String,
    /// The W3C `traceparent` of the request, if it had one.
    pub traceparent: Option<String>,
    pub fingerprint: Fingerprint,
    /// The uses of the request's idempotency key: one per secret of the site, or none without a key. A worker that does not
    /// know this field refuses the version, so it cannot apply a repeated request twice.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub key_uses: Vec<KeyUse>,
    pub command: D,
}

impl<D> Envelope<D> {
    /// The version of an envelope with these uses of keys.
    #[must_use]
    pub fn version(key_uses: &[KeyUse]) -> u8 {
        if key_uses.is_empty() { 1 } else { 2 }
    }
}

impl<D: Domain> Envelope<D> {
    /// Reads a message of the domain's queue.
    ///
    /// # Errors
    /// The message is not an envelope of this version with a command of this domain.
    pub fn decode(body: &[u8]) -> anyhow::Result<Self> {
        let mut envelope: Self = serde_json::from_slice(body).context("the message cannot be decoded")?;
        ensure!(
            [1, 2].contains(&envelope.version),
            "the envelope has version {}, but this worker supports only 1 and 2",
            envelope.version,
        );
        // Until version 0.2.0, the key of a request was also the id of its operation.
        let key = envelope.operation_id.get();
        if envelope.version == 1 && key.get_version() == Some(Version::Custom) {
            let fingerprint = envelope.fingerprint.clone();
            envelope.key_uses = vec![KeyUse { key, fingerprint, is_shared: false }];
        }
        Ok(envelope)
    }
}

/// The outcome of a command.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The command took effect. It has this output.
    Applied(Box<RawValue>),
    /// The rules did not allow the command.
    Refused(Refused),
}

/// An operation with its outcome: the reply to a waiting api.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CompletedOperation {
    pub operation_id: OperationId,
    /// The fingerprint of the request. An api of version 0.2.0 needs it.
    pub fingerprint: Fingerprint,
    pub outcome: Outcome,
    /// The operation of the first request with the same idempotency key, if there was an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<OperationId>,
}

/// Declares a domain: its enum, and the wire name and the output of each command.
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

        impl $crate::contract::command::Domain for $domain {
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

            impl $crate::contract::command::Command for $command {
                type Domain = $domain;
                type Output = $output;
            }
        )+
    };
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

/// Tests the wire forms of a domain's commands: each line is parsed and written again without a change, and each command has
/// a line. Other versions of the service read queued commands, so a line never changes; a changed command is a new one.
#[macro_export]
macro_rules! wire_forms {
    ($domain:ident $lines:literal) => {
        #[cfg(test)]
        #[test]
        fn commands_keep_their_wire_form() {
            use $crate::contract::command::Domain;
            let mut commands = std::collections::BTreeSet::new();
            for line in $lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
                let command: $domain =
                    serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
                assert_eq!(serde_json::to_string(&command).unwrap(), line);
                commands.insert(command.name());
            }
            assert_eq!(commands, $domain::COMMANDS.iter().copied().collect());
        }
    };
}
