use std::fmt::Debug;

use guildhall_common::contract::{
    self,
    command::{CompletedOperation, Domain, Envelope, Visit, Visitor},
};

use crate::round_trip::check_json_round_trip;

/// A message of a queue: the envelope of a command of any domain, or a list of completed operations.
pub fn queued_command(data: &[u8]) {
    contract::visit_domains(CheckEnvelope(data));
    if let Ok(operations) = serde_json::from_slice::<Vec<CompletedOperation>>(data) {
        check_json_round_trip(&operations);
    }
}

#[derive(Clone)]
struct CheckEnvelope<'a>(&'a [u8]);

impl Visitor for CheckEnvelope<'_> {
    type Output = ();
}

impl<D: Domain + Debug> Visit<D> for CheckEnvelope<'_> {
    fn visit(self) {
        let Ok(envelope) = Envelope::<D>::decode(self.0) else { return };
        assert!(D::COMMANDS.iter().any(|command| command.name == envelope.command.name()));
        check_json_round_trip(&envelope);
    }
}
