//! The built-in templates, and example values of each kind of mail.

use guildhall_common::contract::account::Language;
use serde_json::{Value, json};

/// The frame of all HTML pages.
pub(super) const LAYOUT: &str = "layout.html";

/// The template of the text below each mail.
pub(super) const FOOTER: &str = "footer";

/// The built-in template of this name in each language.
macro_rules! built_in {
    ($name:literal) => {
        |language| match language {
            Language::En => include_str!(concat!("../templates/en/", $name, ".txt")),
            Language::Pt => include_str!(concat!("../templates/pt/", $name, ".txt")),
            Language::Es => include_str!(concat!("../templates/es/", $name, ".txt")),
        }
    };
}

macro_rules! kinds {
    ($($name:literal [$($example:tt),+])+) => {
        /// All kinds of mails.
        pub(super) fn all() -> Vec<TemplateKind> {
            vec![$(TemplateKind {
                name: $name,
                examples: vec![$(example(json!($example))),+],
                source: built_in!($name),
            }),+]
        }
    };
}

kinds! {
    "verify_email" [{ "link": "https://example.org/verify-email#token=cT9", "code": "12345678", "expires_in_hours": "24" }]
    "verify_new_email" [{ "link": "https://example.org/verify-email#token=cT9", "code": "12345678", "expires_in_hours": "24" }]
    "email_changed" [{ "new_email": "new@example.org", "link": "https://example.org/undo-email-change#token=cT9", "undo_days": "7" }]
    "address_taken" [{ "link": "https://example.org/forgot-password" }]
    "reset_password" [{ "link": "https://example.org/reset-password#token=cT9", "expires_in_minutes": "60" }]
    "password_changed" [{ "changed_at": "2026-11-24 21:30 UTC", "link": "https://example.org/forgot-password" }]
    "new_device" [{ "device": "Firefox 140.0, Windows", "network": "203.0.113.7", "at": "2026-11-24 21:30 UTC", "link": "https://example.org/account/sessions" }]
    "second_factor_enabled" [{ "at": "2026-11-24 21:30 UTC", "link": "https://example.org/account/security" }]
    "second_factor_disabled" [{ "at": "2026-11-24 21:30 UTC", "link": "https://example.org/account/security" }]
    "recovery_code_used" [{ "at": "2026-11-24 21:30 UTC", "codes_left": "9", "link": "https://example.org/account/security" }]
    "export_ready" [{ "link": "https://example.org/export#token=cT9", "expires_in_days": "7" }]
    "deletion_scheduled" [{ "deleted_at": "2026-12-24", "link": "https://example.org/cancel-deletion#token=cT9" }]
    "deletion_done" [{}]
    "account_suspended" [{ "reason": "Advertising in the chat.", "until": "2026-12-01 00:00 UTC" }, { "reason": "Fraud." }]
}

fn example(mut values: Value) -> Value {
    values["account_name"] = "mira".into();
    values
}

/// A kind of mails.
pub(super) struct TemplateKind {
    pub(super) name: &'static str,
    /// The first example has all values. Another one lacks the optional ones.
    pub(super) examples: Vec<Value>,
    source: fn(Language) -> &'static str,
}

impl TemplateKind {
    /// The variables that its template may use.
    pub(super) fn variables(&self) -> Vec<&str> {
        let values = self.examples[0].as_object().into_iter().flatten();
        values.map(|(name, _)| name.as_str()).chain(["site"]).collect()
    }
}

/// The name of a template, which is also its path in the folder of an operator.
pub(super) fn template_name(language: &str, kind: &str) -> String {
    format!("{language}/{kind}.txt")
}

/// The names and sources of the built-in templates.
pub(super) fn sources() -> Vec<(String, &'static str)> {
    let mut sources = vec![(LAYOUT.to_owned(), include_str!("../templates/layout.html"))];
    for language in Language::ALL {
        let footer = built_in!("footer")(language);
        sources.push((template_name(language.code(), FOOTER), footer));
        let mails = all().into_iter().map(|kind| (kind.name, (kind.source)(language)));
        sources.extend(mails.map(|(name, source)| (template_name(language.code(), name), source)));
    }
    sources
}
