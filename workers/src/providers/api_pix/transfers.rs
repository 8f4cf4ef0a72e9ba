//! The bank's list of received Pix: `/pix`.

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use guildhall_common::contract::providers::transfer_notification;
use reqwest::Method;
use serde_json::Value;

use crate::providers::{
    api_pix::{bank::ApiPix, notification::reported_refunds, responses::PixList},
    listing::{ListedPage, ListedTransfer, TimeWindow},
    provider_error::ProviderResult,
};

/// Received Pix on one page.
const PAGE_SIZE: u32 = 100;

impl ApiPix {
    /// `GET /pix?inicio&fim`, with a further filter.
    pub(super) async fn get_pix_list(
        &self,
        window: TimeWindow,
        filter: &str,
        page: u32,
    ) -> ProviderResult<ListedPage> {
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
        let path = format!(
            "/pix?inicio={}&fim={}{filter}&paginacao.paginaAtual={page}&paginacao.itensPorPagina={PAGE_SIZE}",
            time(window.from),
            // Times in the query have whole seconds: include the second that the window ends in.
            time(window.to + TimeDelta::seconds(1)),
        );
        let list: PixList = self.client.call(Method::GET, &path, None).await?;
        Ok(ListedPage {
            transfers: list.pix.into_iter().map(listed_transfer).collect(),
            pages: list.parametros.paginacao.quantidade_de_paginas,
        })
    }
}

fn listed_transfer(pix: Value) -> ListedTransfer {
    let text = |name: &str| pix[name].as_str().map(ToOwned::to_owned);
    ListedTransfer {
        end_to_end_id: text("endToEndId"),
        reference: text("txid"),
        refunds: reported_refunds(&pix),
        notification: transfer_notification(pix),
    }
}
