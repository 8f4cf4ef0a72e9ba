//! The configured bank.

use guildhall_common::payment_codes::{MerchantCity, MerchantName, pix::PixKey};

use crate::{config::PaymentSettings, providers::api_pix::client::Client};

pub(in crate::providers) struct ApiPix {
    pub(super) client: Client,
    /// The Pix key that receives the money (`chave`).
    key: PixKey,
    pub(super) name: MerchantName,
    pub(super) city: MerchantCity,
}

impl ApiPix {
    /// None if the settings name no bank.
    ///
    /// # Errors
    /// When a setting is not valid.
    pub(in crate::providers) fn new(settings: &PaymentSettings) -> anyhow::Result<Option<Self>> {
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
}
