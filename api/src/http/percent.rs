//! Percent-encoding of parts of URLs (RFC 3986).

use std::fmt::Display;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All characters except the unreserved ones.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The text as a part of a path or a query.
pub(crate) fn encoded(text: &str) -> impl Display {
    utf8_percent_encode(text, RESERVED)
}
