//! The end of a mail transaction: the data.

use std::io;

use super::session::{MAX_MAIL, Reaction, SmtpSession, TOO_LARGE};
use crate::faults::{RefusalStep, SmtpStep};

impl SmtpSession {
    /// `DATA`: receives the mail and stores it.
    pub(super) async fn receive_mail(&mut self) -> io::Result<Reaction> {
        self.stall_at(SmtpStep::Data).await?;
        let Some(envelope) = self.envelope.take_if(|envelope| !envelope.recipients.is_empty()) else {
            return Ok("503 5.5.1 Send MAIL and RCPT first.".into());
        };
        self.connection.send("354 Send the mail. A line with a single dot ends it.").await?;
        let source = self.connection.read_message(MAX_MAIL).await?;
        // A client that leaves now sends the mail again, so it must not be stored.
        self.stall_at(SmtpStep::EndOfData).await?;
        let Some(source) = source else {
            return Ok(TOO_LARGE.into());
        };
        if let Some(refusal) = self.state.faults().mails.refusal(RefusalStep::EndOfData) {
            return Ok(refusal.into());
        }
        let size = source.len();
        let id = self.state.mails.add(envelope, source);
        tracing::info!(id, size, "mail received");
        if self.state.faults().mails.drop_after_data.fires() {
            return Ok(Reaction::Close);
        }
        Ok(Reaction::Respond(format!("250 2.0.0 The mail is stored with the id {id}.").into()))
    }
}
