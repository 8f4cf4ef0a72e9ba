//! Refunds at the bank: `/pix/{e2eid}/devolucao/{id}`.

use reqwest::Method;
use serde_json::json;

use crate::providers::{
    api_pix::{bank::ApiPix, responses::Devolucao},
    charge::{RefundOrder, RefundState},
    provider_error::{ProviderError, ProviderResult},
};

impl ApiPix {
    /// `PUT /pix/{e2eid}/devolucao/{id}`, or the state of the refund if the bank already has it. The site chooses the id.
    ///
    /// A refusal counts only if the bank does not know the refund after it. An earlier request may have been accepted
    /// although its response was lost.
    pub(super) async fn put_devolucao(&self, order: &RefundOrder) -> ProviderResult<RefundState> {
        let path = format!("/pix/{}/devolucao/{}", order.end_to_end_id, order.refund_id);
        if let Some(state) = self.get_devolucao(&path).await? {
            return Ok(state);
        }
        let body = json!({ "valor": order.amount.amount() });
        match self.client.call::<Devolucao>(Method::PUT, &path, Some(&body)).await {
            Err(ProviderError::Refused(reason)) => {
                let state = self.get_devolucao(&path).await?;
                state.ok_or(ProviderError::Refused(reason))
            }
            response => response.map(|devolucao| devolucao.state()),
        }
    }

    /// The state of a refund. None if the bank does not know it. A refused query says nothing about the refund.
    async fn get_devolucao(&self, path: &str) -> ProviderResult<Option<RefundState>> {
        match self.client.call::<Devolucao>(Method::GET, path, None).await {
            Ok(devolucao) => Ok(Some(devolucao.state())),
            Err(ProviderError::NotFound) => Ok(None),
            Err(ProviderError::Refused(reason)) => Err(ProviderError::Unavailable(reason)),
            Err(error) => Err(error),
        }
    }
}
