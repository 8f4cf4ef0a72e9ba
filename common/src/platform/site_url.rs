//! The address of the site's pages, and the origins of pages.

use std::str::FromStr;

use anyhow::{Context, ensure};
use http::{Uri, uri::Authority};

/// The address of the site's pages, from a setting.
#[derive(Debug, Clone)]
pub struct SiteUrl {
    /// Without a slash at the end.
    url: String,
    origin: Origin,
}

impl SiteUrl {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }

    /// The address of a page, whose path begins with a slash.
    #[must_use]
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    /// The address of an operation of the API. The proxy of the site serves the API below `/api`.
    #[must_use]
    pub fn api(&self, path: &str) -> String {
        format!("{}/api{path}", self.url)
    }

    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }
}

impl FromStr for SiteUrl {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let uri: Uri = text.parse().context("it is no URL")?;
        ensure!(uri.query().is_none(), "it must have no query");
        let (scheme, authority) = (uri.scheme_str().unwrap_or_default(), uri.authority());
        let origin = authority.and_then(|authority| Origin::new(scheme, authority));
        let origin = origin.context("it must begin with https:// or http:// and a host")?;
        Ok(Self { url: text.trim_end_matches('/').to_owned(), origin })
    }
}

/// A scheme, a host and a port (RFC 6454).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    is_tls: bool,
    host: String,
    port: u16,
}

impl Origin {
    fn new(scheme: &str, authority: &Authority) -> Option<Self> {
        let is_tls = match scheme {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let (host, port) = host_and_port(authority, is_tls)?;
        Some(Self { is_tls, host, port })
    }

    /// The origin in the header `Origin`. None for `null` and for the origins of other programs than websites.
    pub fn parse(header: &str) -> Option<Self> {
        let (scheme, authority) = header.split_once("://")?;
        Self::new(scheme, &authority.parse().ok()?)
    }

    /// Whether this is the host and the port in the header `Host`. The scheme can differ, because a proxy ends TLS.
    #[must_use]
    pub fn has_host(&self, header: &str) -> bool {
        let found = header.parse().ok().and_then(|authority| host_and_port(&authority, self.is_tls));
        found.is_some_and(|(host, port)| host == self.host && port == self.port)
    }
}

/// None if a user name is before the host, or the port is invalid.
fn host_and_port(authority: &Authority, is_tls: bool) -> Option<(String, u16)> {
    let host = authority.host();
    let rest = authority.as_str().strip_prefix(host)?;
    let port = match rest.strip_prefix(':') {
        Some(port) => port.parse().ok()?,
        None if rest.is_empty() => {
            if is_tls {
                443
            } else {
                80
            }
        }
        None => return None,
    };
    (!host.is_empty()).then(|| (host.to_ascii_lowercase(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_host(origin: &str, host: &str) -> bool {
        Origin::parse(origin).is_some_and(|origin| origin.has_host(host))
    }

    #[test]
    fn origin_is_compared_with_the_whole_host_and_port() {
        for (origin, host) in [
            ("https://site.example", "site.example"),
            ("https://Site.Example", "SITE.example"),
            ("https://site.example", "site.example:443"),
            ("http://site.example:80", "site.example"),
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://[::1]:8080", "[::1]:8080"),
        ] {
            assert!(has_host(origin, host), "{origin} {host}");
        }
        for (origin, host) in [
            ("null", "site.example"),
            ("", ""),
            ("https://", ""),
            ("https://site.example.evil.example", "site.example"),
            ("https://evil.example", "site.example"),
            ("https://evilsite.example", "site.example"),
            ("https://forum.site.example", "site.example"),
            ("https://site.example:8443", "site.example"),
            ("https://site.example", "site.example:80"),
            ("https://site.example@evil.example", "site.example"),
            ("https://site.example@evil.example", "evil.example"),
            ("https://site.example/", "site.example"),
            ("https://site.example evil.example", "site.example"),
            ("chrome-extension://site.example", "site.example"),
            ("site.example", "site.example"),
        ] {
            assert!(!has_host(origin, host), "{origin} {host}");
        }
    }

    #[test]
    fn address_of_the_site_has_an_origin() {
        let origin = |url: &str| url.parse::<SiteUrl>().map(|site| site.origin().clone());
        assert_eq!(
            origin("https://site.example:443/community/").unwrap(),
            Origin::parse("https://site.example").unwrap()
        );
        assert_ne!(origin("http://site.example").unwrap(), Origin::parse("https://site.example").unwrap());
        for invalid in
            ["", "site.example", "ftp://site.example", "https://", "https://a@site.example", "https://a?b"]
        {
            assert!(origin(invalid).is_err(), "{invalid}");
        }
    }
}
