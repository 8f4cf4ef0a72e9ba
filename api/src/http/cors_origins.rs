//! The setting of the origins whose pages may use the API.

use std::sync::Arc;

use anyhow::Context;
use poem::http::{
    HeaderValue,
    uri::{Authority, Scheme},
};

/// The origins whose pages may use the API, as browsers write them.
#[derive(Debug, Clone)]
pub(crate) struct CorsOrigins(Arc<[String]>);

impl CorsOrigins {
    /// # Errors
    /// A text is no origin: browsers would never send it.
    pub(crate) fn new(setting: &[String]) -> anyhow::Result<Self> {
        // An empty variable and a comma at the end name no origin.
        let texts = setting.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
        let origins = texts.map(|text| {
            normalized(text).with_context(|| {
                format!("{text} is no origin. An origin is a scheme and a host, perhaps with a port, and has no path: https://example.org")
            })
        });
        Ok(Self(origins.collect::<anyhow::Result<_>>()?))
    }

    pub(crate) fn contains(&self, origin: &HeaderValue) -> bool {
        self.0.iter().any(|allowed| allowed.as_bytes() == origin.as_bytes())
    }
}

/// An origin as browsers write it: in lower case, without the default port. Pages of programs have other schemes than http and https.
fn normalized(text: &str) -> Option<String> {
    let (scheme, authority) = text.split_once("://")?;
    scheme.parse::<Scheme>().ok()?;
    let authority =
        authority.parse::<Authority>().ok().filter(|authority| !authority.as_str().contains('@'))?;
    let (scheme, authority) = (scheme.to_ascii_lowercase(), authority.as_str().to_ascii_lowercase());
    let default_port = match scheme.as_str() {
        "https" => ":443",
        "http" => ":80",
        _ => "",
    };
    Some(format!("{scheme}://{}", authority.strip_suffix(default_port).unwrap_or(&authority)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_written_as_browsers_do() {
        for (text, origin) in [
            ("https://example.org", "https://example.org"),
            ("HTTPS://Example.org:443", "https://example.org"),
            ("http://example.org:8080", "http://example.org:8080"),
            ("http://[::1]:80", "http://[::1]"),
            ("capacitor://localhost", "capacitor://localhost"),
        ] {
            assert_eq!(normalized(text).as_deref(), Some(origin));
        }
        for text in [
            "*",
            "null",
            "example.org",
            "https://",
            "https://a.org/",
            "https://a.org/b",
            "https://a@b.org",
            "https://a.org b",
        ] {
            assert_eq!(normalized(text), None, "{text}");
        }
    }

    #[test]
    fn spaces_and_empty_texts_are_ignored() {
        let setting = ["https://a.org", " https://b.org", ""].map(ToOwned::to_owned);
        let origins = CorsOrigins::new(&setting).unwrap();
        assert!(origins.contains(&HeaderValue::from_static("https://b.org")));
        assert!(!origins.contains(&HeaderValue::from_static("")));
        assert!(CorsOrigins::new(&["https://a.org/b".to_owned()]).is_err());
    }
}
