//! The operations of a provider without an API: it makes QR codes for the configured bank accounts.

use futures_util::future::{FutureExt, ready};
use guildhall_common::{contract::payment::PaymentId, payment_codes::Scheme};

use crate::{
    config::PaymentSettings,
    providers::{
        charge::Charge,
        manual::{
            accounts::{ManualAccount, read_accounts},
            payload::{Merchant, payload},
            reference::reference,
        },
        provider_error::{ProviderError, ProviderResult},
        provider_operations::{ProviderCall, ProviderOperations},
    },
};

pub(in crate::providers) struct Manual {
    accounts: Vec<ManualAccount>,
    merchant: Merchant,
}

impl Manual {
    /// # Errors
    /// When a setting is not valid.
    pub(in crate::providers) fn new(settings: &PaymentSettings) -> anyhow::Result<Self> {
        let merchant =
            Merchant { name: settings.merchant_name.clone(), city: settings.merchant_city.clone() };
        Ok(Self { accounts: read_accounts(settings)?, merchant })
    }

    fn payload(&self, charge: &Charge) -> ProviderResult<String> {
        let account = self.accounts.iter().find(|account| account.scheme() == charge.scheme);
        let account = account.ok_or(ProviderError::Unsupported)?;
        let payload = payload(account, &self.merchant, charge).and_then(|payload| payload.encode());
        payload.map_err(|error| ProviderError::Refused(error.to_string()))
    }
}

impl ProviderOperations for Manual {
    fn schemes(&self) -> Vec<Scheme> {
        self.accounts.iter().map(ManualAccount::scheme).collect()
    }

    fn reference(&self, payment_id: PaymentId) -> String {
        reference(payment_id)
    }

    fn register_charge<'a>(&'a self, charge: &'a Charge) -> ProviderCall<'a, String> {
        ready(self.payload(charge)).boxed()
    }
}
