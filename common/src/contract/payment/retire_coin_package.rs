//! The command `coins.retire_package`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::PaymentRefusal;
use crate::contract::{
    actor::Actor,
    coins::PackageId,
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Takes a coin package off sale.
#[derive(Debug, Serialize, Deserialize)]
pub struct RetireCoinPackage {
    pub package_id: PackageId,
}

/// A coin package is no longer on sale.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PackageRetired {
    pub package_id: PackageId,
}

impl Declaration for RetireCoinPackage {
    type Output = PackageRetired;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "coins.retire_package";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] = &[PaymentRefusal::PackageNotFound];
    const EXAMPLE: &'static str = r#"{"package_id":1}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    PackageRetired { "package_id": 1 }
}
