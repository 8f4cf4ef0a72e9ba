//! The drill of mails: players register while the workers and a real mail server, Postfix, are killed, frozen and stopped. Each
//! mail must arrive. A mail that arrives twice must be the same mail.

mod drill;
mod maildir;
mod policy;

pub use drill::{MailDrillSettings, run};
