//! A fake bank for development, tests and drills. It speaks API Pix 2.9.0, the public standard of the
//! Brazilian central bank, and injects faults on request. It is also a mail catcher: an SMTP server that keeps
//! the mails of a site for developers and tests.

mod api;
mod bank;
mod br_code;
pub mod config;
mod control;
mod faults;
mod http;
mod mail;
mod money;
mod notification_attempt;
mod notifications;
mod oauth;
mod refund_processing;
mod sandbox;
mod server;
mod smtp;
mod state;

pub use self::sandbox::Sandbox;
