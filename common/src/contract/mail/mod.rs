//! Mails: what an administrator does with those that could not be sent.

mod discard;
mod refusal;
mod resend;
mod values;

use crate::domain;

pub use self::{refusal::MailRefusal, values::MailId};

domain! {
    /// The commands about mails.
    MailCommand("mail", not partitioned) {
        resend::ResendMail,
        discard::DiscardMail,
    }
}
