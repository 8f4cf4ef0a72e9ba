//! Payment providers: the operations that a provider offers, and the providers of a site.
//!
//! A new provider needs a module here, a field of `Configured`, and an arm in each match of this file. In the contract it
//! needs a variant of `Provider`, an entry in `Provider::ALL` and a reader of its webhook bodies. CONTRIBUTING.md lists the rest.

mod api_pix;
mod charge;
mod listing;
mod manual;
mod notification;
mod provider_error;
mod provider_operations;

use std::sync::Arc;

use guildhall_common::{
    contract::providers::{Notification, Provider},
    payment_codes::Scheme,
};
use serde_json::Value;

use crate::config::PaymentSettings;

use self::{api_pix::ApiPix, manual::Manual};
pub(crate) use self::{
    charge::{Charge, ChargeReport, RefundOrder, RefundState, ReportedReceipt, ReportedRefund},
    listing::{ListedPage, ListedTransfer, TimeWindow},
    notification::{NotificationClaim, NotificationKeys, TransferClaim},
    provider_error::{ProviderError, ProviderResult},
    provider_operations::ProviderOperations,
};

/// The providers that the site's settings name.
#[derive(Clone)]
pub(crate) struct Providers(Arc<Configured>);

struct Configured {
    api_pix: Option<ApiPix>,
    manual: Manual,
}

impl Providers {
    /// # Errors
    /// When a setting is not valid.
    pub(crate) fn new(settings: &PaymentSettings) -> anyhow::Result<Self> {
        Ok(Self(Arc::new(Configured { api_pix: ApiPix::new(settings)?, manual: Manual::new(settings)? })))
    }

    /// The configured providers, the preferred one first.
    pub(crate) fn all(&self) -> Vec<(Provider, &dyn ProviderOperations)> {
        Provider::ALL.into_iter().filter_map(|provider| Some((provider, self.get(provider).ok()?))).collect()
    }

    /// # Errors
    /// When the site's settings do not name the provider any more.
    pub(crate) fn get(&self, provider: Provider) -> ProviderResult<&dyn ProviderOperations> {
        let configured: Option<&dyn ProviderOperations> = match provider {
            Provider::ApiPix => self.0.api_pix.as_ref().map(|api_pix| api_pix as _),
            Provider::Manual => Some(&self.0.manual),
        };
        configured.ok_or_else(|| ProviderError::Unavailable("it is not configured".to_owned()))
    }

    /// The schemes that the site accepts, each with its provider. The first one is the default.
    pub(crate) fn schemes(&self) -> Vec<(Scheme, Provider)> {
        let mut schemes: Vec<(Scheme, Provider)> = Vec::new();
        for (provider, operations) in self.all() {
            for scheme in operations.schemes() {
                // A bank's API goes before a bank account without one.
                if schemes.iter().all(|(known, _)| *known != scheme) {
                    schemes.push((scheme, provider));
                }
            }
        }
        schemes
    }

    /// The keys of a notification. A notification is also stored when its provider is not configured.
    pub(crate) fn notification_keys(provider: Provider, notification: &Notification) -> NotificationKeys {
        match provider {
            Provider::ApiPix => api_pix::notification_keys(notification),
            Provider::Manual => manual::notification_keys(notification),
        }
    }

    /// The claim that a stored notification makes.
    ///
    /// # Errors
    /// The reason why the notification cannot be processed.
    pub(crate) fn read_notification(
        &self,
        provider: Provider,
        body: &Value,
    ) -> Result<NotificationClaim, String> {
        match provider {
            Provider::ApiPix => api_pix::read_notification(self.0.api_pix.as_ref(), body),
            Provider::Manual => manual::read_notification(body),
        }
    }

    /// Registers the URL of the webhook with each bank that has an API.
    ///
    /// # Errors
    /// When no configured provider has an API, or a bank cannot be reached or refuses.
    pub(crate) async fn register_webhook(&self, url: &str) -> ProviderResult<()> {
        let mut is_registered = false;
        for (_, operations) in self.all() {
            match operations.register_webhook(url).await {
                Err(ProviderError::Unsupported) => {}
                Err(error) => return Err(error),
                Ok(()) => is_registered = true,
            }
        }
        let no_bank = || ProviderError::Unavailable("no bank with an API is configured".to_owned());
        is_registered.then_some(()).ok_or_else(no_bank)
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, FromArgMatches, Parser};

    use super::*;

    #[derive(Parser)]
    struct TestArgs {
        #[command(flatten)]
        settings: PaymentSettings,
    }

    fn schemes(arguments: &[&str]) -> Vec<(Scheme, Provider)> {
        // The settings of the environment must not change the result.
        let command = TestArgs::command().mut_args(|argument| argument.env(None::<&'static str>));
        let matches = command.get_matches_from([&["test"], arguments].concat());
        let settings = TestArgs::from_arg_matches(&matches).unwrap().settings;
        guildhall_common::platform::telemetry::init_tls();
        Providers::new(&settings).unwrap().schemes()
    }

    #[test]
    fn a_bank_with_an_api_goes_before_a_bank_account_without_one() {
        let accounts = ["--pix-key=mira@example.org", "--promptpay-id=0801234567"];
        let bank = [
            "--pix-url=http://127.0.0.1:9",
            "--pix-token-url=http://127.0.0.1:9",
            "--pix-client-id=test",
            "--pix-client-secret=test",
        ];
        assert_eq!(
            schemes(&accounts),
            [(Scheme::Pix, Provider::Manual), (Scheme::Promptpay, Provider::Manual)]
        );
        assert_eq!(
            schemes(&[&accounts[..], &bank[..]].concat()),
            [(Scheme::Pix, Provider::ApiPix), (Scheme::Promptpay, Provider::Manual)]
        );
    }
}
