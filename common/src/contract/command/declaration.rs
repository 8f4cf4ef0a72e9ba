//! The declaration of a command: what is true of it wherever it runs.

use std::any::Any;

use serde::{Serialize, de::DeserializeOwned};

use super::{Domain, Locks, Refusal, Refused, Sender};
use crate::contract::{actor::Actor, partition_key::PartitionKey};

/// What is true of a command wherever it runs. The file of the command in the contract implements it.
pub trait Declaration: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The output when the rules allow the command.
    type Output: Serialize + DeserializeOwned + Send;
    /// The refusals of its domain.
    type Refusal: Refusal + 'static;

    /// The name in queues, logs and metrics. It never changes, because other versions of the service read it.
    const NAME: &'static str;

    /// Who may send it. The api checks this, and the OpenAPI document states it.
    const SENDER: Sender;

    /// The refusal if the sender has the role, but the thing belongs to another account. None if the command is about no single thing.
    const STRANGER: Option<Self::Refusal> = None;

    /// All refusals that its rule may return. The OpenAPI document lists them. A development build rejects any other one.
    const REFUSALS: &'static [Self::Refusal];

    /// The fields as JSON, as they are queued.
    const EXAMPLE: &'static str;

    /// Whether it is accepted even if its queue is too long, because it ends or confirms something.
    const IS_ALWAYS_ACCEPTED: bool = false;

    /// The thing that the command changes. Commands with the same key are applied in their order. A command without a key
    /// changes more than one thing.
    fn partition_key(&self, sender: Actor) -> Option<PartitionKey>;

    /// Adds the rows that the command changes and that commands of other partitions may change, too.
    fn locks(&self, _sender: Actor, _locks: &mut Locks) {}
}

/// A declared command of a domain. A line of [`domain!`](crate::domain) adds it.
pub trait Command: Declaration + Into<Self::Domain> {
    type Domain: Domain;
}

/// A declaration as a value, for lists of commands.
#[derive(Debug, Clone, Copy)]
pub struct DeclaredCommand {
    pub name: &'static str,
    pub sender: Sender,
    pub example: &'static str,
    pub is_always_accepted: bool,
    stranger: fn() -> Option<Refused>,
    refusals: fn() -> Vec<Refused>,
}

impl DeclaredCommand {
    #[must_use]
    pub const fn of<C: Declaration>() -> Self {
        Self {
            name: C::NAME,
            sender: C::SENDER,
            example: C::EXAMPLE,
            is_always_accepted: C::IS_ALWAYS_ACCEPTED,
            stranger: || C::STRANGER.map(|refusal| refusal.refused()),
            refusals: || C::REFUSALS.iter().map(Refusal::refused).collect(),
        }
    }

    /// The refusal of [`Declaration::STRANGER`].
    #[must_use]
    pub fn stranger(&self) -> Option<Refused> {
        (self.stranger)()
    }

    /// The refusals of [`Declaration::REFUSALS`].
    #[must_use]
    pub fn refusals(&self) -> Vec<Refused> {
        (self.refusals)()
    }
}

/// A command whose type is not known.
pub trait AnyCommand: Any + Send + Sync {
    fn declaration(&self) -> DeclaredCommand;

    /// As [`Declaration::partition_key`].
    fn partition_key(&self, sender: Actor) -> Option<PartitionKey>;

    /// As [`Declaration::locks`].
    fn locks(&self, sender: Actor, locks: &mut Locks);
}

impl<C: Declaration> AnyCommand for C {
    fn declaration(&self) -> DeclaredCommand {
        DeclaredCommand::of::<C>()
    }

    fn partition_key(&self, sender: Actor) -> Option<PartitionKey> {
        Declaration::partition_key(self, sender)
    }

    fn locks(&self, sender: Actor, locks: &mut Locks) {
        Declaration::locks(self, sender, locks);
    }
}
