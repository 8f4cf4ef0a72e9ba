//! The authentication of an SMTP client: `AUTH PLAIN` (RFC 4616) and `AUTH LOGIN`.

use std::io;

use base64::{Engine, engine::general_purpose::STANDARD};
use smtp_proto::{AUTH_LOGIN, AUTH_PLAIN};

use super::session::SmtpSession;

impl SmtpSession {
    /// Returns the user name and the password that a client must give.
    pub(super) fn credentials(&self) -> Option<(&str, &str)> {
        let config = &self.state.config;
        config.mail_user.as_deref().zip(config.mail_password.as_deref())
    }

    /// `AUTH`
    pub(super) async fn authenticate(&mut self, mechanism: u64, initial: &str) -> io::Result<&'static str> {
        if self.credentials().is_none() {
            return Ok("502 5.5.1 Authentication is not needed.");
        }
        if !self.has_greeted || self.is_authenticated || self.envelope.is_some() {
            return Ok("503 5.5.1 AUTH is possible once, between EHLO and MAIL.");
        }
        let given = match mechanism {
            AUTH_PLAIN => self.read_plain(initial).await?,
            AUTH_LOGIN => self.read_login(initial).await?,
            _ => return Ok("504 5.5.4 Use AUTH PLAIN or AUTH LOGIN."),
        };
        let Some((user, password)) = given else {
            return Ok("501 5.5.2 The credentials cannot be decoded.");
        };
        if self.credentials() != Some((&user, &password)) {
            return Ok("535 5.7.8 The user name or the password is wrong.");
        }
        self.is_authenticated = true;
        Ok("235 2.7.0 The client is authenticated.")
    }

    /// Reads an authorization id, which is ignored, the user name and the password, separated by NUL.
    async fn read_plain(&mut self, initial: &str) -> io::Result<Option<(String, String)>> {
        let text = self.read_decoded("", initial).await?;
        Ok(text.and_then(|text| {
            let (user, password) = text.split_once('\0')?.1.split_once('\0')?;
            Some((user.to_owned(), password.to_owned()))
        }))
    }

    async fn read_login(&mut self, initial: &str) -> io::Result<Option<(String, String)>> {
        let Some(user) = self.read_decoded("Username:", initial).await? else {
            return Ok(None);
        };
        let password = self.read_decoded("Password:", "").await?;
        Ok(password.map(|password| (user, password)))
    }

    /// Decodes the initial response, or prompts for a response. The client cancels with `*`, which is not base64.
    async fn read_decoded(&mut self, prompt: &str, initial: &str) -> io::Result<Option<String>> {
        let mut response = initial.as_bytes().to_vec();
        if response.is_empty() {
            self.connection.send(&format!("334 {}", STANDARD.encode(prompt))).await?;
            response = self.connection.read_line().await?;
        }
        let decoded = STANDARD.decode(response.trim_ascii()).ok();
        Ok(decoded.and_then(|bytes| String::from_utf8(bytes).ok()))
    }
}
