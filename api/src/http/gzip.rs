//! Compression with gzip: what a client accepts, and the compressed bytes.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use poem::{Request, http::header};

/// Whether the client accepts gzip.
pub(crate) fn is_accepted(request: &Request) -> bool {
    let lines = request.headers().get_all(header::ACCEPT_ENCODING);
    accepts_gzip(|| lines.iter().filter_map(|line| line.to_str().ok()))
}

/// Compresses a text.
///
/// # Errors
/// None in practice: the text is in memory.
pub(crate) fn compress(text: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(text.len() / 3), Compression::fast());
    encoder.write_all(text)?;
    Ok(encoder.finish()?.into())
}

/// Whether the lines of the header contain gzip or `*` with a weight above zero (RFC 9110 §12.5.3).
fn accepts_gzip<'a, Lines: Iterator<Item = &'a str>>(lines: impl Fn() -> Lines) -> bool {
    let weight = |name: &str| {
        lines().flat_map(|line| line.split(',')).find_map(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            parts.next().filter(|coding| coding.eq_ignore_ascii_case(name))?;
            let weight =
                parts.find_map(|part| part.strip_prefix("q=")).and_then(|weight| weight.parse::<f32>().ok());
            Some(weight.unwrap_or(1.0))
        })
    };
    weight("gzip").or_else(|| weight("*")).is_some_and(|weight| weight > 0.0)
}

#[cfg(test)]
mod tests {
    fn accepts_gzip(lines: &[&str]) -> bool {
        super::accepts_gzip(|| lines.iter().copied())
    }

    #[test]
    fn gzip_needs_a_weight_above_zero() {
        assert!(accepts_gzip(&["br, gzip;q=0.5"]));
        assert!(accepts_gzip(&["br", "gzip"]));
        assert!(accepts_gzip(&["*"]));
        assert!(!accepts_gzip(&["gzip;q=0, *"]));
        assert!(!accepts_gzip(&["br"]));
        assert!(!accepts_gzip(&["identity"]));
        assert!(!accepts_gzip(&[]));
    }
}
