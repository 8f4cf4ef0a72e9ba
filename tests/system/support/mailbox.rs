//! The mail catcher for one test, and a site that sends its mails there.

use guildhall_sandbox::{Sandbox, config::Config};
use guildhall_testkit::mail_text;
use http::Method;
use serde_json::{Value, json};

use super::{
    client::{Client, send},
    options::Options,
    site::Site,
    wait::wait_for,
};

pub(crate) struct Mailbox {
    sandbox: Sandbox,
    control: Client,
}

/// A mail that was received.
#[derive(Debug)]
pub(crate) struct Mail {
    pub(crate) message_id: String,
    pub(crate) subject: String,
    pub(crate) text: String,
}

impl Mailbox {
    pub(crate) async fn start() -> Self {
        guildhall_common::platform::telemetry::init_tls();
        let sandbox = Sandbox::start(Config::default()).await.unwrap();
        let control = Client::new(&sandbox.url());
        Self { sandbox, control }
    }

    pub(crate) fn options(&self) -> Options {
        let address = self.sandbox.mail_address().unwrap();
        Options { smtp_url: Some(format!("smtp://{address}")), ..Options::default() }
    }

    pub(crate) async fn site(&self) -> Site {
        Site::start_with(self.options()).await
    }

    pub(crate) async fn set_faults(&self, mails: Value) {
        let faults = json!({ "mails": mails });
        send(self.control.request(Method::PUT, "/sandbox/faults").json(&faults)).await.ok();
    }

    /// The mails to an address, oldest first.
    pub(crate) async fn mails_to(&self, email: &str) -> Vec<Mail> {
        let list = self.control.get(&format!("/sandbox/mails?limit=1000&to={email}")).await.ok();
        let mut mails: Vec<Mail> = list["mails"].as_array().unwrap().iter().map(Mail::new).collect();
        mails.reverse();
        mails
    }

    /// Waits for the mail of this number to an address, counted from 1.
    pub(crate) async fn wait_for(&self, email: &str, number: usize) -> Mail {
        wait_for(&format!("mail {number} to {email} arrives"), async || {
            let mails = self.mails_to(email).await;
            mails.into_iter().nth(number - 1)
        })
        .await
    }
}

impl Mail {
    fn new(mail: &Value) -> Self {
        let text = |name: &str| mail[name].as_str().unwrap_or_default().to_owned();
        Self { message_id: text("message_id"), subject: text("subject"), text: text("text") }
    }

    /// The token in the link.
    pub(crate) fn token(&self) -> &str {
        mail_text::token(&self.text, "").unwrap_or_else(|| panic!("no token: {self:?}"))
    }

    /// The code, without its space.
    pub(crate) fn code(&self) -> String {
        mail_text::code(&self.text).unwrap_or_else(|| panic!("no code: {self:?}"))
    }
}
