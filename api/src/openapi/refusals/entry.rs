//! The refusals of one operation.

use guildhall_common::contract::command::{Refusal, Refused};

use crate::http::api_refusal::ApiRefusal;

/// An operation id, and the refusals that the operation can return.
pub(super) type Entry = (&'static str, Vec<Refused>);

/// A refusal of the api, and those of the workers.
pub(super) fn and(first: ApiRefusal, refusals: &[impl Refusal]) -> Vec<Refused> {
    [all(&[first]), all(refusals)].concat()
}

pub(super) fn all(refusals: &[impl Refusal]) -> Vec<Refused> {
    refusals.iter().map(Refusal::refused).collect()
}
