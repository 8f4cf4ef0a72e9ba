//! The command `coins.create_package`.

use poem_openapi::Object;
use serde::{Deserialize, Serialize};

use super::refusal::PaymentRefusal;
use crate::contract::{
    actor::Actor,
    coins::{PackageFields, PackageId},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Adds a coin package to the price list.
#[derive(Debug, Serialize, Deserialize)]
pub struct CreateCoinPackage(pub PackageFields);

/// A coin package was created or changed.
#[derive(Debug, Serialize, Deserialize, Object)]
#[oai(example)]
pub struct PackageSaved {
    pub package_id: PackageId,
    pub version: i32,
}

impl Declaration for CreateCoinPackage {
    type Output = PackageSaved;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "coins.create_package";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] = &[PaymentRefusal::RateMissing];
    const EXAMPLE: &'static str =
        r#"{"name":"A purse","price":{"amount":"25.00","currency":"BRL"},"coins":260,"position":10}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}

crate::examples! {
    PackageSaved { "package_id": 1, "version": 2 }
}
