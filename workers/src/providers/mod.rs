//! Payment providers: what we ask of one, and the two there are.

mod api_pix;
mod manual;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use guildhall_common::{contract::notification::Provider, money::Money, payment_codes::Scheme};
use uuid::Uuid;

use crate::{
    config::PaymentSettings,
    providers::{api_pix::ApiPix, manual::Manual},
};

/// A charge as a provider needs to know it.
pub(crate) struct Charge {
    pub(crate) scheme: Scheme,
    pub(crate) reference: String,
    pub(crate) amount: Money,
    /// Seconds within which it is to be paid.
    pub(crate) lifetime: i64,
}

/// What a provider knows of a charge: all the money that came for it.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) received: Vec<Received>,
}

/// Money that came.
#[derive(Debug)]
pub(crate) struct Received {
    pub(crate) end_to_end_id: String,
    pub(crate) amount: Money,
    pub(crate) received_at: DateTime<Utc>,
    /// Why nothing is to be credited for it before somebody has looked.
    pub(crate) held_because: Option<String>,
    pub(crate) returned: Vec<Returned>,
}

/// Money that goes back.
#[derive(Debug)]
pub(crate) struct Returned {
    pub(crate) refund_id: String,
    pub(crate) amount: Money,
    pub(crate) state: RefundState,
    /// The payment scheme took it, unasked.
    pub(crate) reversal: bool,
    pub(crate) reason: String,
    pub(crate) at: DateTime<Utc>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RefundState {
    Pending,
    Done,
    Failed,
}

impl RefundState {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// Money in a provider's list, and the charge that it names.
#[derive(Debug)]
pub(crate) struct Listed {
    pub(crate) end_to_end_id: Option<String>,
    pub(crate) reference: Option<String>,
    /// As it was listed.
    pub(crate) body: serde_json::Value,
}

/// What of a provider's list.
pub(crate) struct Window {
    pub(crate) from: DateTime<Utc>,
    pub(crate) to: DateTime<Utc>,
    /// Only what has gone back, in part at least.
    pub(crate) returned: bool,
}

/// Why a provider did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProviderError {
    /// It says no, and will say so again.
    #[error("the provider refused: {0}")]
    Refused(String),
    #[error("the provider does not know it")]
    NotFound,
    /// It cannot be reached, or is in trouble: asking again is safe, and may help.
    #[error("the provider is away: {0}")]
    Away(String),
    /// It cannot do that at all.
    #[error("the provider cannot do this")]
    Unsupported,
}

type Asked<T> = Result<T, ProviderError>;

/// The providers of a site.
#[derive(Clone)]
pub(crate) struct Providers(Arc<Configured>);

struct Configured {
    api_pix: Option<ApiPix>,
    manual: Manual,
}

impl Providers {
    /// # Errors
    /// When a setting cannot be used.
    pub(crate) fn new(settings: &PaymentSettings) -> anyhow::Result<Self> {
        Ok(Self(Arc::new(Configured { api_pix: ApiPix::new(settings)?, manual: Manual::new(settings)? })))
    }

    /// What can be paid by, the usual one first, and who moves the money.
    pub(crate) fn schemes(&self) -> Vec<(Scheme, Provider)> {
        let manual = self.0.manual.schemes();
        let manual = manual.filter(|scheme| *scheme != Scheme::Pix || self.0.api_pix.is_none());
        let api_pix = self.0.api_pix.iter().map(|_| (Scheme::Pix, Provider::ApiPix));
        api_pix.chain(manual.map(|scheme| (scheme, Provider::Manual))).collect()
    }

    fn api_pix(&self) -> Asked<&ApiPix> {
        self.0.api_pix.as_ref().ok_or_else(|| ProviderError::Away("it is not configured any more".to_owned()))
    }

    /// What our end of the payment is called at the provider.
    pub(crate) fn reference(provider: Provider, payment_id: Uuid) -> String {
        match provider {
            // 26 to 35 characters.
            Provider::ApiPix => payment_id.simple().to_string(),
            // At most 25: what a static code has room for.
            Provider::Manual => manual::reference(payment_id),
        }
    }

    /// Makes the charge known, and answers what the QR code says. Doing it again makes no second one.
    pub(crate) async fn register(&self, provider: Provider, charge: &Charge) -> Asked<String> {
        match provider {
            Provider::ApiPix => self.api_pix()?.register(charge).await,
            Provider::Manual => self.0.manual.payload(charge),
        }
    }

    /// What has come for a charge.
    pub(crate) async fn fetch(&self, provider: Provider, reference: &str) -> Asked<Seen> {
        match provider {
            Provider::ApiPix => self.api_pix()?.fetch(reference).await,
            Provider::Manual => Err(ProviderError::Unsupported),
        }
    }

    /// One page, from 0, of all that came in a span of time; and how many there are.
    pub(crate) async fn list(
        &self,
        provider: Provider,
        window: &Window,
        page: u32,
    ) -> Asked<(Vec<Listed>, u32)> {
        match provider {
            Provider::ApiPix => self.api_pix()?.list(window, page).await,
            Provider::Manual => Err(ProviderError::Unsupported),
        }
    }

    /// Takes the charge back, if nobody has paid it.
    pub(crate) async fn cancel(&self, provider: Provider, reference: &str) -> Asked<()> {
        match provider {
            Provider::ApiPix => self.api_pix()?.cancel(reference).await,
            Provider::Manual => Err(ProviderError::Unsupported),
        }
    }

    pub(crate) fn can_refund(&self, provider: Provider) -> bool {
        match provider {
            Provider::ApiPix => self.0.api_pix.is_some(),
            Provider::Manual => false,
        }
    }

    /// The returns that a notification of Pix names.
    pub(crate) fn returns(notification: &serde_json::Value) -> Vec<Returned> {
        ApiPix::returns(notification)
    }

    /// Sends money back. Asking again asks for no second refund, but how far the first is.
    pub(crate) async fn refund(
        &self,
        provider: Provider,
        end_to_end_id: &str,
        refund_id: &str,
        amount: Money,
    ) -> Asked<RefundState> {
        match provider {
            Provider::ApiPix => self.api_pix()?.refund(end_to_end_id, refund_id, amount).await,
            Provider::Manual => Err(ProviderError::Unsupported),
        }
    }

    /// Tells the bank where to send its notifications.
    pub(crate) async fn register_webhook(&self, url: &str) -> Asked<()> {
        self.api_pix()?.register_webhook(url).await
    }

    /// Whether a notification of Pix names our key.
    pub(crate) fn is_our_pix_key(&self, key: &str) -> bool {
        self.0.api_pix.as_ref().is_some_and(|api_pix| api_pix.key() == key)
    }
}
