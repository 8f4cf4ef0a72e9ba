//! The lines of an EPC payload.

use std::str::FromStr;

use crate::payment_codes::{
    checks::check_format, field_error::PayloadFieldError, payload_error::PayloadError,
};

/// The number of lines in EPC069-12. Empty lines at the end can be left out.
pub(super) const LINES: usize = 12;

/// The lines of a payload without their line ends.
pub(super) struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    /// Splits a text at LF or CR LF.
    pub(super) fn new(text: &'a str) -> Self {
        Self(text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect())
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// The text of a line. The first line is 1. Missing lines are empty.
    pub(super) fn text(&self, line: usize) -> &'a str {
        self.0.get(line - 1).copied().unwrap_or_default()
    }

    /// Requires this text in a line.
    pub(super) fn check_value(&self, line: usize, value: &'static str) -> Result<(), PayloadError> {
        check_format(self.text(line) == value, value).map_err(|error| error.in_line(line))
    }

    /// The field in a line. `None` if the line is empty.
    pub(super) fn optional<T>(&self, line: usize) -> Result<Option<T>, PayloadError>
    where
        T: FromStr<Err = PayloadFieldError>,
    {
        let text = Some(self.text(line)).filter(|text| !text.is_empty());
        text.map(|text| text.parse().map_err(|error: PayloadFieldError| error.in_line(line))).transpose()
    }

    /// The field in a line.
    pub(super) fn required<T>(&self, line: usize) -> Result<T, PayloadError>
    where
        T: FromStr<Err = PayloadFieldError>,
    {
        self.optional(line)?.ok_or_else(|| PayloadFieldError::Missing.in_line(line))
    }
}
