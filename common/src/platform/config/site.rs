//! The settings of the site itself.

use std::{ops::Deref, str::FromStr};

use clap::Args;

use crate::platform::site_url::SiteUrl;

/// The name and the address of the site.
#[derive(Debug, Clone, Args)]
pub struct SiteSettings {
    /// The name of the site in mails, authenticator apps, link previews and the feed of the news
    #[arg(long, env = "GUILDHALL_SITE_NAME", default_value = "Guildhall")]
    pub site_name: String,

    /// The address of the site's pages. Mails, link previews and the feed of the news need it. Pages at this address may use the
    /// cookies of sessions, even if the api has another host
    #[arg(long, env = "GUILDHALL_SITE_URL")]
    pub site_url: Option<SiteUrl>,

    /// The language in which the staff writes posts and players describe guilds, such as `pt-BR`. The feed of the news and link previews
    /// name it
    #[arg(long, env = "GUILDHALL_SITE_LANGUAGE", default_value = "en")]
    pub site_language: LanguageTag,
}

/// A language in the form of BCP 47, such as `pt-BR`.
#[derive(Debug, Clone)]
pub struct LanguageTag(String);

impl FromStr for LanguageTag {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_part = |part: &str| {
            (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        let is_language =
            |part: &str| (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic());
        let mut parts = text.split('-');
        if parts.next().is_some_and(is_language) && parts.all(is_part) {
            Ok(Self(text.to_owned()))
        } else {
            Err("must be a language tag such as en or pt-BR")
        }
    }
}

impl Deref for LanguageTag {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_a_tag() {
        for tag in ["en", "pt-BR", "zh-Hant-TW", "fil", "de-1996"] {
            assert_eq!(&*tag.parse::<LanguageTag>().unwrap(), tag);
        }
        for other in ["", "e", "english", "pt_BR", "pt-", "-pt", "pt BR", "\"", "pt-\u{e3}o"] {
            assert!(other.parse::<LanguageTag>().is_err(), "{other}");
        }
    }
}
