//! The session of an SMTP client: its commands.

use std::{borrow::Cow, io, sync::Arc};

use smtp_proto::{Error, Request};
use tokio::net::TcpStream;

use super::connection::SmtpConnection;
use crate::{
    faults::{RefusalStep, SmtpStep},
    mail::received_mail::SmtpEnvelope,
    state::SandboxState,
};

/// The maximum size of a mail in bytes.
pub(super) const MAX_MAIL: usize = 1024 * 1024;
/// The maximum number of recipients of a mail, the minimum of RFC 5321.
const MAX_RECIPIENTS: usize = 100;

/// What the server does after a command.
pub(super) enum Reaction {
    Respond(Cow<'static, str>),
    RespondAndClose(&'static str),
    Close,
}

impl From<&'static str> for Reaction {
    fn from(response: &'static str) -> Self {
        Self::Respond(response.into())
    }
}

/// The session of an SMTP client.
pub(super) struct SmtpSession {
    pub(super) state: Arc<SandboxState>,
    pub(super) connection: SmtpConnection,
    pub(super) has_greeted: bool,
    pub(super) is_authenticated: bool,
    /// The envelope of the current mail, from `MAIL` to the end of its data.
    pub(super) envelope: Option<SmtpEnvelope>,
}

impl SmtpSession {
    pub(super) fn new(state: Arc<SandboxState>, stream: TcpStream) -> Self {
        let connection = SmtpConnection::new(stream);
        Self { state, connection, has_greeted: false, is_authenticated: false, envelope: None }
    }

    /// Serves the client until the connection closes.
    pub(super) async fn run(mut self) {
        if let Err(error) = self.serve().await {
            tracing::debug!(%error, "mail connection lost");
        }
    }

    async fn serve(&mut self) -> io::Result<()> {
        self.stall_at(SmtpStep::Connect).await?;
        self.connection.send("220 guildhall-sandbox ESMTP").await?;
        loop {
            let line = self.connection.read_line().await?;
            let reaction = match Request::parse(&mut line.iter()) {
                Ok(request) => self.execute(request).await?,
                Err(error) => syntax_error(&error).into(),
            };
            match reaction {
                Reaction::Respond(response) => self.connection.send(&response).await?,
                Reaction::RespondAndClose(response) => return self.connection.send(response).await,
                Reaction::Close => return Ok(()),
            }
        }
    }

    async fn execute(&mut self, request: Request<Cow<'_, str>>) -> io::Result<Reaction> {
        Ok(match request {
            Request::Ehlo { .. } => self.greet(true).await?,
            Request::Helo { .. } => self.greet(false).await?,
            Request::Auth { mechanism, initial_response } => {
                self.authenticate(mechanism, &initial_response).await?.into()
            }
            Request::Mail { from } => self.start_mail(&from.address, from.size).await?.into(),
            Request::Rcpt { to } => self.add_recipient(&to.address).await?.into(),
            Request::Data => self.receive_mail().await?,
            Request::Rset => {
                self.envelope = None;
                "250 2.0.0 The mail is forgotten.".into()
            }
            Request::Noop { .. } => "250 2.0.0 Nothing is done.".into(),
            Request::Vrfy { .. } => "252 2.1.5 Every address is accepted.".into(),
            Request::Quit => Reaction::RespondAndClose("221 2.0.0 The connection is closed."),
            _ => "502 5.5.1 The command is not supported.".into(),
        })
    }

    async fn greet(&mut self, is_extended: bool) -> io::Result<Reaction> {
        self.stall_at(SmtpStep::Helo).await?;
        self.has_greeted = true;
        self.envelope = None;
        if !is_extended {
            return Ok("250 guildhall-sandbox".into());
        }
        let auth = if self.credentials().is_some() { "250-AUTH PLAIN LOGIN\r\n" } else { "" };
        let extensions = format!("250-8BITMIME\r\n250-PIPELINING\r\n250-SIZE {MAX_MAIL}\r\n250-SMTPUTF8");
        let response = format!("250-guildhall-sandbox\r\n{auth}{extensions}\r\n250 ENHANCEDSTATUSCODES");
        Ok(Reaction::Respond(response.into()))
    }

    /// `MAIL`
    async fn start_mail(&mut self, sender: &str, declared_size: usize) -> io::Result<&'static str> {
        self.stall_at(SmtpStep::Mail).await?;
        if !self.has_greeted {
            return Ok("503 5.5.1 Send EHLO or HELO first.");
        }
        if self.credentials().is_some() && !self.is_authenticated {
            return Ok("530 5.7.0 Log in with AUTH first.");
        }
        if self.envelope.is_some() {
            return Ok("503 5.5.1 Another mail has been started. Send its data, or RSET.");
        }
        if declared_size > MAX_MAIL {
            return Ok(TOO_LARGE);
        }
        self.envelope = Some(SmtpEnvelope { sender: sender.to_owned(), recipients: vec![] });
        Ok("250 2.1.0 The sender is accepted.")
    }

    /// `RCPT`
    async fn add_recipient(&mut self, recipient: &str) -> io::Result<&'static str> {
        self.stall_at(SmtpStep::Rcpt).await?;
        let Some(envelope) = &mut self.envelope else {
            return Ok("503 5.5.1 Send MAIL first.");
        };
        if envelope.recipients.len() >= MAX_RECIPIENTS {
            return Ok("452 4.5.3 The mail has too many recipients.");
        }
        if let Some(refusal) = self.state.faults().mails.refusal(RefusalStep::Rcpt) {
            return Ok(refusal);
        }
        envelope.recipients.push(recipient.to_owned());
        Ok("250 2.1.5 The recipient is accepted.")
    }

    /// Sends nothing for some time, if the fault settings say so.
    pub(super) async fn stall_at(&mut self, step: SmtpStep) -> io::Result<()> {
        let time = self.state.faults().mails.stall_time(step);
        match time {
            Some(time) => self.connection.stall(time).await,
            None => Ok(()),
        }
    }
}

pub(super) const TOO_LARGE: &str = "552 5.3.4 The mail is larger than 1048576 bytes.";

fn syntax_error(error: &Error) -> &'static str {
    match error {
        Error::InvalidSenderAddress => "501 5.1.7 The address of the sender is invalid.",
        Error::InvalidRecipientAddress => "501 5.1.3 The address of the recipient is invalid.",
        Error::SyntaxError { .. } | Error::InvalidParameter { .. } => "501 5.5.4 The arguments are invalid.",
        Error::UnsupportedParameter { .. } => "555 5.5.4 A parameter is not supported.",
        _ => "500 5.5.2 The command is not known.",
    }
}
