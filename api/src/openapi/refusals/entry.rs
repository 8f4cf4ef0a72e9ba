//! The refusals of one operation.

use guildhall_common::contract::command::{Refusal, RefusalKind, Refused};

/// An operation id, and the refusals that the operation can return.
pub(super) type Entry = (&'static str, Vec<Refused>);

/// A refusal of the api, and those of the workers.
pub(super) fn and(first: Refused, refusals: &[impl Refusal]) -> Vec<Refused> {
    [vec![first], all(refusals)].concat()
}

pub(super) fn all(refusals: &[impl Refusal]) -> Vec<Refused> {
    refusals.iter().map(Refusal::refused).collect()
}

pub(super) fn refused(kind: RefusalKind, code: &str, detail: &str) -> Refused {
    Refused { kind, code: code.to_owned(), detail: detail.to_owned() }
}
