//! The operations that a payment provider offers.

use chrono::TimeDelta;
use futures_util::future::{BoxFuture, FutureExt, ready};
use guildhall_common::{contract::payment::PaymentId, payment_codes::Scheme};

use crate::providers::{
    charge::{Charge, ChargeReport, RefundOrder, RefundState},
    listing::{ListedPage, TimeWindow},
    provider_error::{ProviderError, ProviderResult},
};

pub(crate) type ProviderCall<'a, T> = BoxFuture<'a, ProviderResult<T>>;

/// The operations of a payment provider. The defaults are those of a provider without an API.
///
/// Every call can be repeated: charges and refunds have ids that the site chooses. A provider keeps the time limits and
/// the rate limit of its API itself.
pub(crate) trait ProviderOperations: Send + Sync {
    /// The schemes that can be paid through this provider, the preferred one first.
    fn schemes(&self) -> Vec<Scheme>;

    /// The reference of a payment at the provider. The payer's bank sends it with the transfer.
    fn reference(&self, payment_id: PaymentId) -> String;

    /// Registers a charge. Returns the payload of its QR code.
    fn register_charge<'a>(&'a self, charge: &'a Charge) -> ProviderCall<'a, String>;

    /// Fetches the receipts of a charge.
    fn fetch_charge<'a>(&'a self, _reference: &'a str) -> ProviderCall<'a, ChargeReport> {
        unsupported()
    }

    /// Cancels a charge that is not paid.
    fn cancel_charge<'a>(&'a self, _reference: &'a str) -> ProviderCall<'a, ()> {
        unsupported()
    }

    fn can_refund(&self) -> bool {
        false
    }

    /// Sends money back. A repeated call with the same refund id returns the state of the first refund.
    fn refund<'a>(&'a self, _order: &'a RefundOrder) -> ProviderCall<'a, RefundState> {
        unsupported()
    }

    /// How long after a receipt its money can be taken back. None if the provider lists no transfers.
    fn refund_period(&self) -> Option<TimeDelta> {
        None
    }

    /// Lists the transfers that were received in the window. The first page is 0.
    fn list_receipts(&self, _window: TimeWindow, _page: u32) -> ProviderCall<'_, ListedPage> {
        unsupported()
    }

    /// Lists the transfers that were received in the window and have a refund. The first page is 0.
    fn list_refunds(&self, _window: TimeWindow, _page: u32) -> ProviderCall<'_, ListedPage> {
        unsupported()
    }

    /// Registers the URL to which the provider sends its notifications.
    fn register_webhook<'a>(&'a self, _url: &'a str) -> ProviderCall<'a, ()> {
        unsupported()
    }
}

fn unsupported<'a, T: Send + 'a>() -> ProviderCall<'a, T> {
    ready(Err(ProviderError::Unsupported)).boxed()
}
