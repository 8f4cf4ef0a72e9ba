//! The command `coins.edit_package`.

use serde::{Deserialize, Serialize};

use super::{create_coin_package::PackageSaved, refusal::PaymentRefusal};
use crate::contract::{
    actor::Actor,
    coins::{PackageFields, PackageId, PriceVersion},
    command::{Declaration, Sender},
    partition_key::PartitionKey,
};

/// Replaces all fields of a coin package. Open payments keep their price.
#[derive(Debug, Serialize, Deserialize)]
pub struct EditCoinPackage {
    pub package_id: PackageId,
    /// The version that the administrator has read.
    pub expected_version: PriceVersion,
    pub fields: PackageFields,
}

impl Declaration for EditCoinPackage {
    type Output = PackageSaved;
    type Refusal = PaymentRefusal;

    const NAME: &'static str = "coins.edit_package";
    const SENDER: Sender = Sender::Admin;
    const REFUSALS: &'static [PaymentRefusal] =
        &[PaymentRefusal::PackageNotFound, PaymentRefusal::PackageChanged, PaymentRefusal::RateMissing];
    const EXAMPLE: &'static str = r#"{"package_id":1,"expected_version":1,"fields":{"name":"A purse","price":{"amount":"25.00","currency":"BRL"},"coins":260,"position":10}}"#;

    fn partition_key(&self, _: Actor) -> Option<PartitionKey> {
        None
    }
}
