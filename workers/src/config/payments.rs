//! Who takes the money, and how.

use std::path::PathBuf;

use chrono::TimeDelta;
use clap::Args;
use secrecy::SecretString;

use crate::config::duration::minutes;

/// How players pay. A scheme is offered when its account is set.
#[derive(Debug, Clone, Args)]
pub struct PaymentSettings {
    /// Minutes within which a payment is to be made
    #[arg(long = "payment-minutes", env = "GUILDHALL_PAYMENT_MINUTES", default_value = "30", value_parser = minutes)]
    pub payment_lifetime: TimeDelta,

    /// How often to look into a notification that fits nothing before it is parked
    #[arg(long, env = "GUILDHALL_NOTIFICATION_TRIES", default_value_t = 9, value_parser = clap::value_parser!(i32).range(1..))]
    pub notification_tries: i32,

    /// Whom the payer's bank app shows
    #[arg(long, env = "GUILDHALL_MERCHANT_NAME", default_value = "Guildhall")]
    pub merchant_name: String,

    /// The city beside it
    #[arg(long, env = "GUILDHALL_MERCHANT_CITY", default_value = "Sao Paulo")]
    pub merchant_city: String,

    /// Pix (BRL): the key that is paid to
    #[arg(long, env = "GUILDHALL_PIX_KEY")]
    pub pix_key: Option<String>,

    /// Pix through a bank's API Pix: its address, up to and without /cob. Without it Pix is manual
    #[arg(long, env = "GUILDHALL_PIX_URL", requires_all = ["pix_key", "pix_token_url", "pix_client_id", "pix_client_secret"])]
    pub pix_url: Option<String>,

    /// Where the bank's API gives out access tokens (OAuth 2.0)
    #[arg(long, env = "GUILDHALL_PIX_TOKEN_URL")]
    pub pix_token_url: Option<String>,

    #[arg(long, env = "GUILDHALL_PIX_CLIENT_ID")]
    pub pix_client_id: Option<String>,

    #[arg(long, env = "GUILDHALL_PIX_CLIENT_SECRET", hide_env_values = true)]
    pub pix_client_secret: Option<SecretString>,

    /// A PEM file with our client certificate and its private key, where the bank asks for one
    #[arg(long, env = "GUILDHALL_PIX_CERTIFICATE")]
    pub pix_certificate: Option<PathBuf>,

    /// Requests a second to the bank, at most
    #[arg(long, env = "GUILDHALL_PIX_REQUESTS_PER_SECOND", default_value = "50")]
    pub pix_requests_per_second: std::num::NonZeroU32,

    /// PromptPay (THB): a mobile number, tax id or e-wallet id
    #[arg(long, env = "GUILDHALL_PROMPTPAY_ID")]
    pub promptpay_id: Option<String>,

    /// PayNow (SGD): a UEN, or a mobile number with +65
    #[arg(long, env = "GUILDHALL_PAYNOW_ID")]
    pub paynow_id: Option<String>,

    /// VietQR (VND): the bank's 6 digits, a slash, the account
    #[arg(long, env = "GUILDHALL_VIETQR_ACCOUNT")]
    pub vietqr_account: Option<String>,

    /// FPS (HKD): an FPS id, e-mail address, or mobile number with +852-
    #[arg(long, env = "GUILDHALL_FPS_ID")]
    pub fps_id: Option<String>,

    /// SEPA (EUR): the IBAN
    #[arg(long, env = "GUILDHALL_SEPA_IBAN")]
    pub sepa_iban: Option<String>,
}
