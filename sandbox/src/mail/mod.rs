//! The mail catcher: an SMTP server that keeps what it receives.

pub(crate) mod mail_store;
pub(crate) mod received_mail;
mod smtp;

pub(crate) use self::smtp::serve_smtp;
