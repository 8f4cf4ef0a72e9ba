//! The mails that the mail catcher has received.

pub(crate) mod mail_store;
pub(crate) mod received_mail;
