//! Charges at the bank: `/cob/{txid}`.

use guildhall_common::payment_codes::{
    PaymentCode,
    pix::{DynamicCode, Pix},
};
use reqwest::Method;
use serde_json::json;

use crate::providers::{
    api_pix::{
        bank::ApiPix,
        responses::{Cob, ReceivedPix},
    },
    charge::{Charge, ChargeReport, ReportedReceipt},
    provider_error::{ProviderError, ProviderResult},
};

impl ApiPix {
    /// `PUT /cob/{txid}`. The site chooses the txid, so a repeated request makes no second charge.
    pub(super) async fn put_cob(&self, charge: &Charge) -> ProviderResult<String> {
        let path = format!("/cob/{}", charge.reference);
        let body = json!({
            "calendario": { "expiracao": charge.lifetime.num_seconds() },
            "valor": { "original": charge.amount.amount() },
            "chave": self.key(),
        });
        let cob: Cob = match self.client.call(Method::PUT, &path, Some(&body)).await {
            // Some banks refuse a txid that exists, even if it is from our own earlier request.
            Err(ProviderError::Refused(reason)) => {
                let existing = self.client.call::<Cob>(Method::GET, &path, None).await;
                existing.map_err(|error| match error {
                    ProviderError::NotFound => ProviderError::Refused(reason),
                    other => other,
                })?
            }
            // A new charge cannot be missing: a gateway of the bank has no route to it for a while.
            Err(ProviderError::NotFound) => {
                return Err(ProviderError::Unavailable("it does not know the path of charges".to_owned()));
            }
            response => response?,
        };
        if cob.amount() != Some(charge.amount) || cob.chave.as_deref() != Some(self.key()) {
            return Err(ProviderError::Refused("it has another charge under this txid".to_owned()));
        }
        self.payload(&cob)
    }

    /// The payload from the bank if it is valid, else one that is made from the location.
    fn payload(&self, cob: &Cob) -> ProviderResult<String> {
        if let Some(text) = &cob.pix_copia_e_cola
            && let Ok(PaymentCode::Pix(_)) = PaymentCode::parse(text)
        {
            return Ok(text.clone());
        }
        let location = cob.location.as_deref().unwrap_or_default();
        let location = location.strip_prefix("https://").unwrap_or(location);
        let dynamic = location.parse().map(|location| {
            let (name, city) = (self.name.clone(), self.city.clone());
            Pix::Dynamic(DynamicCode { location, name, city, amount: None, recurrence: None })
        });
        dynamic
            .ok()
            .and_then(|dynamic| PaymentCode::try_from(dynamic).ok()?.encode().ok())
            .ok_or_else(|| ProviderError::Refused("its response has neither payload nor location".to_owned()))
    }

    /// `GET /cob/{txid}`, with all Pix that were received for it.
    pub(super) async fn get_cob(&self, txid: &str) -> ProviderResult<ChargeReport> {
        let cob: Cob = self.client.call(Method::GET, &format!("/cob/{txid}"), None).await?;
        let is_other_key = cob.chave.as_deref().is_some_and(|key| key != self.key());
        let pix = cob.received_pix();
        let receipts = pix.iter().filter_map(|pix| self.reported_receipt(pix, is_other_key));
        Ok(ChargeReport { receipts: receipts.collect() })
    }

    /// None if the Pix has no positive amount: then it must not hide the others.
    fn reported_receipt(&self, pix: &ReceivedPix, charge_has_other_key: bool) -> Option<ReportedReceipt> {
        let is_other_key = charge_has_other_key || pix.chave.as_deref().is_some_and(|key| key != self.key());
        let Some(amount) = pix.amount() else {
            tracing::warn!(transfer.id = pix.end_to_end_id, "received Pix skipped: it has no amount");
            return None;
        };
        Some(ReportedReceipt {
            end_to_end_id: pix.end_to_end_id.clone(),
            amount,
            received_at: pix.horario,
            held_because: is_other_key.then(|| "it was paid to another key than ours".to_owned()),
            refunds: pix.refunds(),
        })
    }

    /// `PATCH /cob/{txid}`.
    pub(super) async fn remove_cob(&self, txid: &str) -> ProviderResult<()> {
        let body = json!({ "status": "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
        self.client.call::<Cob>(Method::PATCH, &format!("/cob/{txid}"), Some(&body)).await.map(drop)
    }
}
