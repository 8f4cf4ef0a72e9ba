//! The settings of the api, one file for each domain. `guildhall-api serve --help` is their documentation.

mod captcha;
mod commands;
mod connections;
mod limits;
mod sessions;
mod webhooks;

use clap::Args;
use guildhall_common::platform::config::{ServerSettings, SiteSettings};

pub use self::{
    captcha::{CaptchaKind, CaptchaPlace, CaptchaSettings},
    commands::CommandTimes,
    connections::ConnectionSettings,
    limits::LimitSettings,
    sessions::SessionSettings,
    webhooks::WebhookSettings,
};

/// The settings of `guildhall-api serve`.
#[derive(Debug, Clone, Args)]
pub struct ApiConfig {
    #[command(flatten)]
    pub servers: ServerSettings,

    #[command(flatten)]
    pub site: SiteSettings,

    #[command(flatten)]
    pub connections: ConnectionSettings,

    #[command(flatten)]
    pub limits: LimitSettings,

    #[command(flatten)]
    pub sessions: SessionSettings,

    #[command(flatten)]
    pub captcha: CaptchaSettings,

    #[command(flatten)]
    pub webhooks: WebhookSettings,

    #[arg(skip)]
    pub commands: CommandTimes,
}
