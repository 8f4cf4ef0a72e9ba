//! Tests through HTTP and SMTP, from the view of the receiver's software and of a payer.

#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod api_pix;
mod control;
mod fault_injection;
mod log;
mod mail_faults;
mod mails;
mod persistence;
mod smtp;
mod support;
