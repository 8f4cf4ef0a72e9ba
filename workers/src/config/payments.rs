//! The settings of payments and of payment providers.

use std::path::PathBuf;

use chrono::TimeDelta;
use clap::Args;
use secrecy::SecretString;

use crate::config::duration::minutes;

/// Payments. The site accepts a payment scheme if the account of the scheme is set.
#[derive(Debug, Clone, Args)]
pub struct PaymentSettings {
    /// Minutes until a payment expires
    #[arg(long = "payment-minutes", env = "GUILDHALL_PAYMENT_MINUTES", default_value = "30", value_parser = minutes)]
    pub payment_lifetime: TimeDelta,

    /// The attempts to match a notification with a payment before the notification is parked. Only tests change it: nine take three minutes.
    #[arg(skip = 9)]
    pub notification_tries: i32,

    /// The name of the receiver. The payer's bank app shows it
    #[arg(long, env = "GUILDHALL_MERCHANT_NAME", default_value = "Guildhall")]
    pub merchant_name: String,

    /// The city of the receiver. The payer's bank app shows it
    #[arg(long, env = "GUILDHALL_MERCHANT_CITY", default_value = "Sao Paulo")]
    pub merchant_city: String,

    /// Pix (BRL): the key that receives the money
    #[arg(long, env = "GUILDHALL_PIX_KEY")]
    pub pix_key: Option<String>,

    /// Pix: the base URL of the bank's API Pix, without /cob. If it is not set, Pix payments need signed notifications
    #[arg(long, env = "GUILDHALL_PIX_URL", requires_all = ["pix_key", "pix_token_url", "pix_client_id", "pix_client_secret"])]
    pub pix_url: Option<String>,

    /// Pix: the bank's URL for access tokens (OAuth 2.0)
    #[arg(long, env = "GUILDHALL_PIX_TOKEN_URL")]
    pub pix_token_url: Option<String>,

    /// Pix: the client id for access tokens
    #[arg(long, env = "GUILDHALL_PIX_CLIENT_ID")]
    pub pix_client_id: Option<String>,

    /// Pix: the client secret for access tokens
    #[arg(long, env = "GUILDHALL_PIX_CLIENT_SECRET", hide_env_values = true)]
    pub pix_client_secret: Option<SecretString>,

    /// Pix: a PEM file with the client certificate and its private key, if the bank requires one
    #[arg(long, env = "GUILDHALL_PIX_CERTIFICATE")]
    pub pix_certificate: Option<PathBuf>,

    /// Pix: the maximum number of requests per second to the bank
    #[arg(long, env = "GUILDHALL_PIX_REQUESTS_PER_SECOND", default_value = "50")]
    pub pix_requests_per_second: std::num::NonZeroU32,

    /// PromptPay (THB): a mobile number, tax id or e-wallet id
    #[arg(long, env = "GUILDHALL_PROMPTPAY_ID")]
    pub promptpay_id: Option<String>,

    /// PayNow (SGD): a UEN, or a mobile number with +65
    #[arg(long, env = "GUILDHALL_PAYNOW_ID")]
    pub paynow_id: Option<String>,

    /// VietQR (VND): the bank's 6 digits, a slash and the account number
    #[arg(long, env = "GUILDHALL_VIETQR_ACCOUNT")]
    pub vietqr_account: Option<String>,

    /// FPS (HKD): an FPS id, an e-mail address, or a mobile number with +852-
    #[arg(long, env = "GUILDHALL_FPS_ID")]
    pub fps_id: Option<String>,

    /// SEPA (EUR): the IBAN
    #[arg(long, env = "GUILDHALL_SEPA_IBAN")]
    pub sepa_iban: Option<String>,
}
