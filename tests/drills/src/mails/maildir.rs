//! The mails that Postfix has delivered.

use std::{collections::HashMap, fs, path::Path};

use anyhow::Context;
use guildhall_testkit::mail_text;
use mail_parser::MessageParser;

/// A mail as its recipient reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DeliveredMail {
    pub(super) recipient: String,
    subject: String,
    text: String,
}

impl DeliveredMail {
    /// The token in its link.
    pub(super) fn token(&self) -> anyhow::Result<&str> {
        mail_text::token(&self.text, "/verify-email").context("a mail without a link")
    }
}

/// All copies of each mail, by the part of `Message-ID` before the `@`.
///
/// # Errors
/// When the folder cannot be read, or has a file that is no mail.
pub(super) fn read(folder: &Path) -> anyhow::Result<HashMap<String, Vec<DeliveredMail>>> {
    let mut mails = HashMap::<String, Vec<DeliveredMail>>::new();
    let folder = folder.join("new");
    if !folder.exists() {
        // Postfix creates it with the first mail.
        return Ok(mails);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let (message_id, mail) =
            parse(&fs::read(&path)?).with_context(|| format!("{} is no mail of the site", path.display()))?;
        mails.entry(message_id).or_default().push(mail);
    }
    Ok(mails)
}

fn parse(source: &[u8]) -> Option<(String, DeliveredMail)> {
    let message = MessageParser::default().parse(source)?;
    let (message_id, _) = message.message_id()?.split_once('@')?;
    let mail = DeliveredMail {
        recipient: message.to()?.first()?.address()?.to_owned(),
        subject: message.subject()?.to_owned(),
        text: message.body_text(0)?.into_owned(),
    };
    Some((message_id.to_owned(), mail))
}
