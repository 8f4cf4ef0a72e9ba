//! The operations of the API Pix, each with its request.

use chrono::TimeDelta;
use futures_util::future::FutureExt;
use guildhall_common::{contract::payment::PaymentId, payment_codes::Scheme};
use reqwest::Method;
use serde_json::json;

use crate::providers::{
    api_pix::bank::ApiPix,
    charge::{Charge, ChargeReport, RefundOrder, RefundState},
    listing::{ListedPage, TimeWindow},
    provider_error::ProviderResult,
    provider_operations::{ProviderCall, ProviderOperations},
};

/// Pix allows refunds and reversals for 80 to 90 days.
const REFUND_PERIOD: TimeDelta = TimeDelta::days(90);

impl ProviderOperations for ApiPix {
    fn schemes(&self) -> Vec<Scheme> {
        vec![Scheme::Pix]
    }

    /// The `txid`: 26 to 35 letters and digits.
    fn reference(&self, payment_id: PaymentId) -> String {
        payment_id.get().simple().to_string()
    }

    fn register_charge<'a>(&'a self, charge: &'a Charge) -> ProviderCall<'a, String> {
        self.put_cob(charge).boxed()
    }

    fn fetch_charge<'a>(&'a self, reference: &'a str) -> ProviderCall<'a, ChargeReport> {
        self.get_cob(reference).boxed()
    }

    fn cancel_charge<'a>(&'a self, reference: &'a str) -> ProviderCall<'a, ()> {
        self.remove_cob(reference).boxed()
    }

    fn can_refund(&self) -> bool {
        true
    }

    fn refund<'a>(&'a self, order: &'a RefundOrder) -> ProviderCall<'a, RefundState> {
        self.put_devolucao(order).boxed()
    }

    fn refund_period(&self) -> Option<TimeDelta> {
        Some(REFUND_PERIOD)
    }

    fn list_receipts(&self, window: TimeWindow, page: u32) -> ProviderCall<'_, ListedPage> {
        self.get_pix_list(window, "", page).boxed()
    }

    fn list_refunds(&self, window: TimeWindow, page: u32) -> ProviderCall<'_, ListedPage> {
        self.get_pix_list(window, "&devolucaoPresente=true", page).boxed()
    }

    fn register_webhook<'a>(&'a self, url: &'a str) -> ProviderCall<'a, ()> {
        self.put_webhook(url).boxed()
    }
}

impl ApiPix {
    /// `PUT /webhook/{chave}`.
    async fn put_webhook(&self, url: &str) -> ProviderResult<()> {
        let path = format!("/webhook/{}", self.key());
        self.client.send(Method::PUT, &path, Some(&json!({ "webhookUrl": url }))).await.map(drop)
    }
}
