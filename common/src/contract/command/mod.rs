//! Commands: what each of them declares, their domains, their outcomes, and the envelope of a queued command.

mod declaration;
mod domain;
mod envelope;
mod locks;
mod outcome;
mod refusal;
mod sender;

pub use self::{
    declaration::{AnyCommand, Command, Declaration, DeclaredCommand},
    domain::{Dispatch, Domain, Visit, Visitor, read_tagged, write_tagged},
    envelope::Envelope,
    locks::Locks,
    outcome::{CompletedOperation, OperationId, Outcome},
    refusal::{Failure, OnConstraint, Refusal, RefusalKind, Refused},
    sender::Sender,
};
pub use super::actor::Actor;
