//! The settings of a site under test.

use std::env;

use guildhall_api::config::{CaptchaKind, CaptchaPlace, CaptchaSettings};
use guildhall_common::platform::config::ObjectStoreSettings;
use guildhall_workers::config::PaymentSettings;

/// The secret of the api: 32 bytes in Base64.
pub(crate) const API_SECRET: &str = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

/// The secret in the webhook address that the bank calls.
pub(crate) const WEBHOOK_SECRET: &str = "0123456789abcdef0123456789abcdef";

/// The secret that signed notifications are signed with.
pub(crate) const SIGNING_SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// Another secret, which replaces the first one.
pub(crate) const NEW_API_SECRET: &str = "q83vEjRWeJCrze8SNFZ4kAECAwQFBgcICQoLDA0ODxAREhMUFRYXGA==";

/// The settings that a test may change.
pub(crate) struct Options {
    /// The secrets of the api.
    pub(crate) secrets: Vec<&'static str>,
    /// One by default: the declaration of a quorum queue is slow.
    pub(crate) partitions: u16,
    /// The connections of each process to Postgres. A worker uses half of them for transactions that apply commands.
    pub(crate) database_connections: u32,
    pub(crate) guild_member_cap: i64,
    pub(crate) guild_confirmed_required: bool,
    pub(crate) purchase_confirmed_required: bool,
    pub(crate) rename_cost: i64,
    pub(crate) connections: usize,
    pub(crate) connections_per_address: usize,
    pub(crate) requests_per_minute: u32,
    pub(crate) log_ins_per_minute: u32,
    pub(crate) registrations_per_hour: u32,
    /// Whether roles need a second factor.
    pub(crate) second_factor_required: bool,
    pub(crate) captcha: CaptchaSettings,
    /// The address of the pages, for the api.
    pub(crate) site_url: Option<&'static str>,
    /// Seconds. The default is longer than that of a site, so that a slow machine completes a command in time.
    pub(crate) command_wait: u64,
    /// How long a command may wait in its queue.
    pub(crate) queue_seconds: u64,
    /// The server on which the test's own database is created.
    pub(crate) database_url: String,
    pub(crate) amqp_url: String,
    pub(crate) redis_url: String,
    /// The header by which a trusted proxy confirms the bank's certificate.
    pub(crate) certificate_header: Option<String>,
    /// Whether the addresses of this machine are trusted proxies.
    pub(crate) has_trusted_proxy: bool,
    pub(crate) second_admin_required: bool,
    /// Days for which the identities of deleted accounts with payments are kept.
    pub(crate) identity_retention_days: i64,
    /// The mail server. None: the site sends no mails.
    pub(crate) smtp_url: Option<String>,
    /// No object store, unless a test sets one.
    pub(crate) objects: ObjectStoreSettings,
    /// No payment provider, unless a test sets one.
    pub(crate) payments: PaymentSettings,
}

/// Settings without a captcha.
pub(crate) fn no_captcha() -> CaptchaSettings {
    CaptchaSettings {
        captcha: CaptchaKind::Off,
        captcha_at: vec![CaptchaPlace::Registration, CaptchaPlace::Recovery],
        captcha_url: None,
        captcha_secret: None,
        captcha_site_key: None,
    }
}

/// Settings without a payment provider.
pub(crate) fn no_payments() -> PaymentSettings {
    PaymentSettings {
        payment_lifetime: chrono::TimeDelta::minutes(30),
        notification_tries: 2,
        merchant_name: "Guildhall São João".to_owned(),
        merchant_city: "São Paulo".to_owned(),
        pix_key: None,
        pix_url: None,
        pix_token_url: None,
        pix_client_id: None,
        pix_client_secret: None,
        pix_certificate: None,
        pix_requests_per_second: 1000.try_into().unwrap(),
        promptpay_id: None,
        paynow_id: None,
        vietqr_account: None,
        fps_id: None,
        sepa_iban: None,
    }
}

/// Settings of a site that receives money by PromptPay, a scheme without an API.
pub(crate) fn promptpay_payments() -> PaymentSettings {
    PaymentSettings { promptpay_id: Some("0801234567".to_owned()), ..no_payments() }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            secrets: vec![API_SECRET],
            partitions: 1,
            database_connections: 4, // each of them costs Postgres some time
            guild_member_cap: 100,
            guild_confirmed_required: false,
            purchase_confirmed_required: false,
            rename_cost: 0,
            objects: ObjectStoreSettings::default(),
            connections: 1000,
            connections_per_address: 1000,
            requests_per_minute: 1_000_000,
            log_ins_per_minute: 1_000_000,
            registrations_per_hour: 1_000_000,
            second_factor_required: false,
            captcha: no_captcha(),
            site_url: Some("https://www.site.example"),
            command_wait: 200,
            queue_seconds: 30,
            database_url: server_url("GUILDHALL_TEST_DATABASE_URL"),
            amqp_url: server_url("GUILDHALL_TEST_AMQP_URL"),
            redis_url: server_url("GUILDHALL_TEST_REDIS_URL"),
            certificate_header: None,
            has_trusted_proxy: false,
            second_admin_required: false,
            identity_retention_days: 0,
            smtp_url: None,
            payments: no_payments(),
        }
    }
}

fn server_url(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run the tests with ./dev test"))
}
