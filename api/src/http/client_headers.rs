//! What the headers of a request say about its client.

use guildhall_common::contract::account::Language;
use poem::{FromRequest, Request, RequestBody, Result, http::header};

/// The maximum number of characters of a device. Common values of `User-Agent` have about 110.
const LONGEST_DEVICE: usize = 200;

/// The device and the language of a client. Both are only what the client claims.
#[derive(Debug, Clone)]
pub(crate) struct ClientHeaders {
    /// The `User-Agent` without control characters, or an empty text.
    pub(crate) device: String,
    /// The first supported language of `Accept-Language`.
    pub(crate) language: Option<Language>,
}

impl<'a> FromRequest<'a> for ClientHeaders {
    async fn from_request(request: &'a Request, _body: &mut RequestBody) -> Result<Self> {
        let device = request.header(header::USER_AGENT).unwrap_or_default();
        let device = device.chars().filter(|c| !c.is_control()).take(LONGEST_DEVICE).collect();
        let language = request.header(header::ACCEPT_LANGUAGE).and_then(preferred_language);
        Ok(Self { device, language })
    }
}

/// The supported language with the highest quality. Among equal ones, the first.
fn preferred_language(accepted: &str) -> Option<Language> {
    let ranges = accepted.split(',').filter_map(|range| {
        let (tag, parameters) = range.split_once(';').unwrap_or((range, "q=1"));
        let quality: f32 = parameters.trim().strip_prefix("q=")?.trim().parse().ok()?;
        let primary = tag.trim().split('-').next()?.to_ascii_lowercase();
        let language = Language::ALL.into_iter().find(|language| language.code() == primary)?;
        (quality > 0.0).then_some((quality, language))
    });
    let best = ranges.reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map(|(_, language)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn highest_quality_of_a_supported_language_is_preferred() {
        assert_eq!(preferred_language("pt-BR,pt;q=0.9,en;q=0.8"), Some(Language::Pt));
        assert_eq!(preferred_language("de-DE, fr;q=0.9, es-419;q=0.5, en;q=0.7"), Some(Language::En));
        assert_eq!(preferred_language("ES"), Some(Language::Es));
        assert_eq!(preferred_language("en;q=0, de"), None);
        assert_eq!(preferred_language("*"), None);
        assert_eq!(preferred_language("en;q=x"), None);
        assert_eq!(preferred_language(""), None);
    }
}
