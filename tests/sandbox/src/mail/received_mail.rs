//! A received mail, decoded.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use mail_parser::{HeaderName, Message, MessageParser, PartType};
use serde::Serialize;

/// The envelope of a mail: the addresses of the SMTP session, not those of the headers.
#[derive(Debug, Clone, Default, Serialize)]
pub(crate) struct SmtpEnvelope {
    #[serde(rename = "envelope_from")]
    pub(crate) sender: String,
    #[serde(rename = "envelope_to")]
    pub(crate) recipients: Vec<String>,
}

/// A mail as the control API shows it.
#[derive(Debug, Serialize)]
pub(crate) struct ReceivedMail {
    /// Counts the mails since the sandbox started.
    pub(crate) id: u64,
    pub(crate) received_at: DateTime<Utc>,
    #[serde(flatten)]
    pub(crate) envelope: SmtpEnvelope,
    #[serde(flatten)]
    pub(crate) content: MailContent,
    /// The size of the source in bytes.
    pub(crate) size: usize,
    #[serde(skip)]
    pub(crate) source: Vec<u8>,
}

/// The decoded content of a mail. Missing parts are `None`.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct MailContent {
    /// The value of `Message-ID` without angle brackets.
    message_id: Option<String>,
    subject: Option<String>,
    /// The first plain text part. Its line breaks are `\n`.
    text: Option<String>,
    /// The first HTML part. Its line breaks are `\n`.
    html: Option<String>,
    /// All headers by name. The values of a repeated header are separated by line breaks.
    headers: BTreeMap<String, String>,
}

impl MailContent {
    /// Decodes the source of a mail. A source that is no mail has an empty content.
    pub(crate) fn decode(source: &[u8]) -> Self {
        // Every header is text here, except those that describe the parts.
        let parser = MessageParser::new().with_mime_headers().default_header_text();
        let Some(message) = parser.parse(source) else {
            return Self::default();
        };
        let header = |name| message.header(name).and_then(|value| value.as_text()).map(str::to_owned);
        Self {
            message_id: header(HeaderName::MessageId).map(|id| id.trim_matches(['<', '>', ' ']).to_owned()),
            subject: header(HeaderName::Subject),
            text: message.text_bodies().find_map(|part| match &part.body {
                PartType::Text(text) => Some(text.replace("\r\n", "\n")),
                _ => None,
            }),
            html: message.html_bodies().find_map(|part| match &part.body {
                PartType::Html(html) => Some(html.replace("\r\n", "\n")),
                _ => None,
            }),
            headers: decode_headers(&message),
        }
    }
}

fn decode_headers(message: &Message<'_>) -> BTreeMap<String, String> {
    let mut headers = BTreeMap::<String, String>::new();
    for header in message.headers() {
        let source = message.raw_message.get(header.offset_start as usize..header.offset_end as usize);
        let value = match header.value.as_text() {
            Some(text) => text.to_owned(),
            None => String::from_utf8_lossy(source.unwrap_or_default()).trim().to_owned(),
        };
        let values = headers.entry(header.name().to_owned()).or_default();
        if !values.is_empty() {
            values.push('\n');
        }
        values.push_str(&value);
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::MailContent;

    fn decode(lines: &[&str]) -> MailContent {
        MailContent::decode(lines.join("\r\n").as_bytes())
    }

    #[test]
    fn encoded_headers_and_parts_are_decoded() {
        let mail = decode(&[
            "Message-Id: <1@example.com>",
            "From: =?utf-8?q?J=C3=BCrgen?= <juergen@example.com>",
            "Subject: =?iso-8859-1?q?Gr=FC=DFe?=",
            " und mehr",
            "Auto-Submitted: auto-generated",
            "Received: first",
            "Received: second",
            "Content-Type: multipart/alternative; boundary=b",
            "",
            "--b",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: quoted-printable",
            "",
            "Sch=C3=B6n, =",
            "gut",
            "Ende",
            "--b",
            "Content-Type: text/html; charset=utf-8",
            "Content-Transfer-Encoding: base64",
            "",
            "PHA+w7w8L3A+",
            "--b--",
        ]);
        assert_eq!(mail.message_id.as_deref(), Some("1@example.com"));
        assert_eq!(mail.subject.as_deref(), Some("Grüße und mehr"));
        assert_eq!(mail.text.as_deref(), Some("Schön, gut\nEnde"));
        assert_eq!(mail.html.as_deref(), Some("<p>ü</p>"));
        assert_eq!(mail.headers["Message-ID"], "<1@example.com>");
        assert_eq!(mail.headers["From"], "Jürgen <juergen@example.com>");
        assert_eq!(mail.headers["Auto-Submitted"], "auto-generated");
        assert_eq!(mail.headers["Received"], "first\nsecond");
        assert_eq!(mail.headers["Content-Type"], "multipart/alternative; boundary=b");
    }

    #[test]
    fn missing_parts_are_not_made_up() {
        let html = decode(&["Content-Type: text/html", "", "<p>Hi</p>"]);
        assert_eq!((html.text, html.html.as_deref()), (None, Some("<p>Hi</p>")));
        let text = decode(&["Subject: Hi", "", "Hi"]);
        assert_eq!((text.text.as_deref(), text.html), (Some("Hi"), None));
        assert_eq!(MailContent::decode(b""), MailContent::default());
    }
}
