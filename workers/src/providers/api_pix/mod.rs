//! A bank that offers the API Pix of Brazil's central bank, v2 (bacen/pix-api).

mod breaker;
mod client;
mod model;

use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use guildhall_common::{
    money::Money,
    payment_codes::{
        MerchantCity, MerchantName, Payload,
        pix::{Dynamic, Pix, PixKey},
    },
};
use reqwest::Method;
use serde_json::{Value, json};

use crate::providers::{
    Asked, Charge, Listed, PaymentSettings, ProviderError, Received, RefundState, Returned, Seen, Window,
    api_pix::{
        client::Client,
        model::{Cob, Devolucao, ReceivedPix},
    },
};

/// Received Pix on a page of the list.
const PAGE: u32 = 100;

pub(super) struct ApiPix {
    client: Client,
    /// The key that is paid to (`chave`).
    key: PixKey,
    name: MerchantName,
    city: MerchantCity,
}

impl ApiPix {
    /// # Errors
    /// When a setting cannot be used.
    pub(super) fn new(settings: &PaymentSettings) -> anyhow::Result<Option<Self>> {
        let (Some(client), Some(key)) = (Client::new(settings)?, &settings.pix_key) else {
            return Ok(None);
        };
        let key = key.parse().map_err(|error| anyhow::anyhow!("GUILDHALL_PIX_KEY {error}"))?;
        let name = MerchantName::folded(&settings.merchant_name)
            .map_err(|error| anyhow::anyhow!("GUILDHALL_MERCHANT_NAME {error}"))?;
        let city = MerchantCity::folded(&settings.merchant_city)
            .map_err(|error| anyhow::anyhow!("GUILDHALL_MERCHANT_CITY {error}"))?;
        Ok(Some(Self { client, key, name, city }))
    }

    pub(super) fn key(&self) -> &str {
        self.key.as_str()
    }

    /// `PUT /cob/{txid}`. The txid is ours, so repeating it makes no second charge.
    pub(super) async fn register(&self, charge: &Charge) -> Asked<String> {
        let path = format!("/cob/{}", charge.reference);
        let body = json!({
            "calendario": { "expiracao": charge.lifetime },
            "valor": { "original": charge.amount.amount() },
            "chave": self.key(),
        });
        let cob: Cob = match self.client.call(Method::PUT, &path, Some(&body)).await {
            // Some banks refuse a txid that is there already, be it by our own earlier attempt.
            Err(ProviderError::Refused(why)) => {
                let found = self.client.call::<Cob>(Method::GET, &path, None).await;
                found.map_err(|error| match error {
                    ProviderError::NotFound => ProviderError::Refused(why),
                    other => other,
                })?
            }
            answered => answered?,
        };
        if cob.amount() != Some(charge.amount) || cob.chave.as_deref() != Some(self.key()) {
            return Err(ProviderError::Refused("it has another charge under this txid".to_owned()));
        }
        self.payload(&cob)
    }

    /// The payload as the bank wrote it, if it is one; else made of the location.
    fn payload(&self, cob: &Cob) -> Asked<String> {
        if let Some(text) = &cob.pix_copia_e_cola
            && let Ok(Payload::Pix(_)) = Payload::parse(text)
        {
            return Ok(text.clone());
        }
        let location = cob.location.as_deref().unwrap_or_default();
        let location = location.strip_prefix("https://").unwrap_or(location);
        let dynamic = location.parse().map(|location| {
            let (name, city) = (self.name.clone(), self.city.clone());
            Pix::Dynamic(Dynamic { location, name, city, amount: None, recurrence: None })
        });
        dynamic
            .ok()
            .and_then(|dynamic| Payload::try_from(dynamic).ok()?.encode().ok())
            .ok_or_else(|| ProviderError::Refused("its answer has neither payload nor location".to_owned()))
    }

    /// `GET /cob/{txid}`, with all Pix that came for it.
    pub(super) async fn fetch(&self, reference: &str) -> Asked<Seen> {
        let cob: Cob = self.client.call(Method::GET, &format!("/cob/{reference}"), None).await?;
        let foreign = cob.chave.as_deref().is_some_and(|key| key != self.key());
        let received = cob.pix.iter().map(|pix| self.received(pix, foreign)).collect::<Option<_>>();
        Ok(Seen {
            received: received
                .ok_or_else(|| ProviderError::Away("it lists a Pix without an amount".to_owned()))?,
        })
    }

    fn received(&self, pix: &ReceivedPix, foreign_charge: bool) -> Option<Received> {
        let foreign = foreign_charge || pix.chave.as_deref().is_some_and(|key| key != self.key());
        Some(Received {
            end_to_end_id: pix.end_to_end_id.clone(),
            amount: pix.amount()?,
            received_at: pix.horario,
            held_because: foreign.then(|| "it was paid to another key than ours".to_owned()),
            returned: pix.devolucoes.iter().filter_map(Devolucao::returned).collect(),
        })
    }

    /// `GET /pix?inicio&fim`.
    pub(super) async fn list(&self, window: &Window, page: u32) -> Asked<(Vec<Listed>, u32)> {
        let time = |time: DateTime<Utc>| time.to_rfc3339_opts(SecondsFormat::Secs, true);
        let path = format!(
            "/pix?inicio={}&fim={}{}&paginacao.paginaAtual={page}&paginacao.itensPorPagina={PAGE}",
            time(window.from),
            // Up to the end of the second that it is in.
            time(window.to + TimeDelta::seconds(1)),
            if window.returned { "&devolucaoPresente=true" } else { "" },
        );
        let list: model::PixList = self.client.call(Method::GET, &path, None).await?;
        let text = |body: &Value, name: &str| body[name].as_str().map(ToOwned::to_owned);
        let listed = list.pix.into_iter().map(|body| Listed {
            end_to_end_id: text(&body, "endToEndId"),
            reference: text(&body, "txid"),
            body,
        });
        Ok((listed.collect(), list.parametros.paginacao.quantidade_de_paginas))
    }

    /// The returns that a notification names.
    pub(super) fn returns(notification: &Value) -> Vec<Returned> {
        let named: Vec<Devolucao> =
            serde_json::from_value(notification["devolucoes"].clone()).unwrap_or_default();
        named.iter().filter_map(Devolucao::returned).collect()
    }

    /// `PATCH /cob/{txid}`.
    pub(super) async fn cancel(&self, reference: &str) -> Asked<()> {
        let body = json!({ "status": "REMOVIDA_PELO_USUARIO_RECEBEDOR" });
        let _: Cob = self.client.call(Method::PATCH, &format!("/cob/{reference}"), Some(&body)).await?;
        Ok(())
    }

    /// `PUT /pix/{e2eid}/devolucao/{id}`. The id is ours: one that is there already is looked at instead. Refused is only what the bank
    /// does not know afterwards; that a look was refused says nothing of the refund.
    pub(super) async fn refund(
        &self,
        end_to_end_id: &str,
        refund_id: &str,
        amount: Money,
    ) -> Asked<RefundState> {
        let path = format!("/pix/{end_to_end_id}/devolucao/{refund_id}");
        let known = async || match self.client.call::<Devolucao>(Method::GET, &path, None).await {
            Err(ProviderError::Refused(why)) => Err(ProviderError::Away(why)),
            answered => answered,
        };
        match known().await {
            Err(ProviderError::NotFound) => {}
            answered => return answered.map(|devolucao| devolucao.state()),
        }
        let body = json!({ "valor": amount.amount() });
        match self.client.call::<Devolucao>(Method::PUT, &path, Some(&body)).await {
            // Perhaps because an attempt of ours was taken whose answer was lost: only a bank that does not
            // know it has refused it.
            Err(ProviderError::Refused(why)) => match known().await {
                Err(ProviderError::NotFound) => Err(ProviderError::Refused(why)),
                answered => answered.map(|devolucao| devolucao.state()),
            },
            answered => answered.map(|devolucao| devolucao.state()),
        }
    }

    /// `PUT /webhook/{chave}`.
    pub(super) async fn register_webhook(&self, url: &str) -> Asked<()> {
        let path = format!("/webhook/{}", self.key());
        self.client.call_for_nothing(Method::PUT, &path, Some(&json!({ "webhookUrl": url }))).await
    }
}
