//! The settings of captchas.

use clap::{Args, ValueEnum};
use poem_openapi::Enum;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};

/// This text is no doc comment: rustdoc refuses bare links, and clap prints the brackets of other links.
const URL_HELP: &str = "The address at which the provider verifies solutions. Turnstile: https://challenges.cloudflare.com/turnstile/v0/siteverify";

/// The settings of captchas.
#[derive(Debug, Clone, Args)]
pub struct CaptchaSettings {
    /// The captcha of the site. altcha is a proof of work and needs no provider. siteverify is a provider:
    /// Cloudflare Turnstile, hCaptcha or reCAPTCHA v2
    #[arg(long, env = "GUILDHALL_CAPTCHA", value_enum, default_value_t = CaptchaKind::Off)]
    pub captcha: CaptchaKind,

    /// The requests that need a solved captcha, separated by commas
    #[arg(
        long,
        env = "GUILDHALL_CAPTCHA_AT",
        value_enum,
        value_delimiter = ',',
        default_value = "registration,recovery"
    )]
    pub captcha_at: Vec<CaptchaPlace>,

    /// The address at which the provider verifies solutions.
    #[arg(long, env = "GUILDHALL_CAPTCHA_URL", help = URL_HELP)]
    pub captcha_url: Option<String>,

    /// The secret key of the site at the provider
    #[arg(long, env = "GUILDHALL_CAPTCHA_SECRET", hide_env_values = true)]
    pub captcha_secret: Option<SecretString>,

    /// The public key of the site at the provider. Pages read it at /captcha
    #[arg(long, env = "GUILDHALL_CAPTCHA_SITE_KEY")]
    pub captcha_site_key: Option<String>,
}

/// The kind of captcha of a site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum CaptchaKind {
    /// No request needs a captcha.
    Off,
    /// A proof of work in the format of ALTCHA, version 1.
    Altcha,
    /// A captcha of a provider with the protocol siteverify.
    Siteverify,
}

/// A group of requests that can need a captcha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Enum, Serialize, Deserialize)]
#[oai(rename_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum CaptchaPlace {
    /// `POST /accounts/register`.
    Registration,
    /// `POST /accounts/forgot-password`.
    Recovery,
    /// `POST /auth`.
    LogIn,
}
