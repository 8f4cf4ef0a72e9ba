//! Clients of the mail catcher.

use std::net::SocketAddr;

use guildhall_sandbox::{Sandbox, config::Config};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    message::MessageBuilder,
    transport::smtp::{AsyncSmtpTransportBuilder, Error, response::Response},
};
use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
    time::timeout,
};

use crate::support::{BankClient, HANG_LIMIT, fast_config};

/// A sandbox with clients of its control API and of its mail catcher.
pub(crate) struct MailSite {
    pub(crate) sandbox: Sandbox,
    pub(crate) client: BankClient,
    pub(crate) mailer: AsyncSmtpTransport<Tokio1Executor>,
}

impl MailSite {
    pub(crate) async fn start() -> Self {
        Self::start_with(fast_config()).await
    }

    pub(crate) async fn start_with(config: Config) -> Self {
        let sandbox = Sandbox::start(config).await.unwrap();
        let client = BankClient::new(sandbox.url()).await;
        let mailer = mailer(sandbox.mail_address().unwrap()).build();
        Self { sandbox, client, mailer }
    }

    pub(crate) async fn send(&self, mail: Message) -> Result<Response, Error> {
        self.mailer.send(mail).await
    }

    /// Returns the mails of the control API, newest first.
    pub(crate) async fn mails(&self, query: &str) -> Vec<Value> {
        let (status, mut body) = self.client.get(&format!("/sandbox/mails{query}")).await;
        assert_eq!(status, 200, "{body}");
        body["mails"].as_array_mut().map(std::mem::take).unwrap()
    }

    /// Opens a session and reads the greeting.
    pub(crate) async fn open_session(&self) -> RawSession {
        let mut session = RawSession::connect(self.sandbox.mail_address().unwrap()).await;
        assert_eq!(session.read_status().await, 220);
        session
    }
}

/// Returns settings of a client without TLS.
pub(crate) fn mailer(address: SocketAddr) -> AsyncSmtpTransportBuilder {
    AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(address.ip().to_string())
        .port(address.port())
        .timeout(Some(HANG_LIMIT))
}

/// Returns a mail that needs a body.
pub(crate) fn mail_to(recipient: &str) -> MessageBuilder {
    Message::builder().from("site@example.com".parse().unwrap()).to(recipient.parse().unwrap())
}

pub(crate) fn short_mail_to(recipient: &str) -> Message {
    mail_to(recipient).subject("Hello").body("Welcome.".to_owned()).unwrap()
}

/// A session whose lines a test writes itself.
pub(crate) struct RawSession {
    stream: BufReader<TcpStream>,
}

impl RawSession {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self { stream: BufReader::new(TcpStream::connect(address).await.unwrap()) }
    }

    /// Sends a line, or several lines, and returns the status of the response.
    pub(crate) async fn request(&mut self, line: &str) -> u16 {
        self.send(line).await;
        self.read_status().await
    }

    pub(crate) async fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\r\n").as_bytes()).await.unwrap();
    }

    pub(crate) async fn read_status(&mut self) -> u16 {
        loop {
            let line = self.read_line().await.expect("the connection was closed");
            if line.as_bytes()[3] == b' ' {
                return line[..3].parse().unwrap();
            }
        }
    }

    /// Returns `None` when the server has closed the connection.
    pub(crate) async fn read_line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = timeout(HANG_LIMIT, self.stream.read_line(&mut line)).await.expect("no response arrived");
        // A server that closes a connection with unread data resets it.
        (read.unwrap_or(0) > 0).then_some(line)
    }
}
