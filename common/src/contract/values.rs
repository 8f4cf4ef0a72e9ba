//! Values of several domains: patterns of texts, pages, timestamps, reasons.

use std::str::FromStr;

use chrono::{DateTime, Datelike, Utc};

use crate::{
    invalid_value::{InvalidValue, ValueFormat},
    number_types, text_types,
};

/// One line with at least one visible character. It avoids `\s`, which differs between regex engines.
pub const TITLE: &str = r"^[^\x00-\x1F\x7F]*[^\x00-\x20\x7F\xA0][^\x00-\x1F\x7F]*$";

/// One line of free text without control characters.
pub const LINE: &str = r"^[^\x00-\x1F\x7F]*$";

/// Free text of several lines. Tabs and line ends are the only control characters.
pub const LINES: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$";

/// A name of letters, with single spaces, apostrophes and hyphens between them. Only ASCII,
/// because similar letters of other alphabets allow impersonation.
pub const LETTERS: &str = r"^[A-Za-z]+([ '-][A-Za-z]+)*$";

/// A name of letters and digits, with the same rules.
pub const LETTERS_AND_DIGITS: &str = r"^[A-Za-z0-9]+([ '-][A-Za-z0-9]+)*$";

text_types! {
    /// Why an administrator did something. It is stored in the audit log.
    Reason { 1 ..= 200, TITLE, "Paid twice by mistake." }
}

number_types! {
    /// The number of a page, from 1.
    Page(i64, "int64") { 1 ..= 1_000_000_000, 1 }
    /// The maximum number of items on a page.
    Limit(i64, "int64") { 1 ..= 100, 20 }
}

impl Page {
    /// The number of items before this page.
    #[must_use]
    pub fn offset(self, limit: Limit) -> i64 {
        (self.get() - 1) * limit.get()
    }
}

/// A time in the years 1 to 9999 (UTC) with microseconds, written as in RFC 3339. A leap second is the second after it, as in Postgres.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Timestamp(pub DateTime<Utc>);

impl FromStr for Timestamp {
    type Err = InvalidValue;

    /// Stricter than chrono, which accepts a space in place of the `T` and years of any length.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let strict =
            text.len() >= 20 && text.as_bytes()[4] == b'-' && text.as_bytes()[10].eq_ignore_ascii_case(&b'T');
        let time = DateTime::parse_from_rfc3339(text).ok().filter(|_| strict);
        let detail = "must be a time in the format of RFC 3339: 2030-01-31T12:00:00Z";
        let invalid = || InvalidValue::format(ValueFormat::DateTime, detail);
        time.ok_or_else(invalid)?.to_utc().try_into().map_err(|_| invalid())
    }
}

impl TryFrom<DateTime<Utc>> for Timestamp {
    type Error = InvalidValue;

    fn try_from(time: DateTime<Utc>) -> Result<Self, InvalidValue> {
        // In chrono, a leap second has more than 1,000,000 microseconds.
        let time = DateTime::from_timestamp_micros(time.timestamp_micros());
        let time = time.filter(|time| (1..=9999).contains(&time.year()));
        let detail = "must be a time in the years 1 to 9999";
        time.map(Self).ok_or_else(|| InvalidValue::format(ValueFormat::DateTime, detail))
    }
}

impl TryFrom<String> for Timestamp {
    type Error = InvalidValue;

    fn try_from(text: String) -> Result<Self, InvalidValue> {
        text.parse()
    }
}

crate::openapi_schema!(Timestamp, "string", |schema: &mut poem_openapi::registry::MetaSchema| {
    schema.format = Some("date-time");
    schema.example = Some("2030-01-31T12:00:00Z".into());
});

#[cfg(test)]
mod tests {
    use super::Timestamp;

    #[test]
    fn a_timestamp_is_written_as_it_is_stored() {
        for (text, stored) in [
            ("2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"),
            ("2030-01-31T12:00:00.1234569+02:00", "2030-01-31T10:00:00.123456Z"),
        ] {
            let time: Timestamp = text.parse().unwrap();
            assert_eq!(serde_json::to_value(time).unwrap(), stored);
            assert_eq!(stored.parse::<Timestamp>().unwrap(), time);
        }
    }

    #[test]
    fn timestamps_follow_rfc_3339() {
        for good in ["2030-01-31T12:00:00Z", "2030-01-31t12:00:00.123456789+02:00", "0001-01-02T00:00:00z"] {
            good.parse::<Timestamp>().unwrap();
        }
        for bad in [
            "2030-01-31 12:00:00Z",
            "+10000-01-01T00:00:00Z",
            "-0001-01-01T00:00:00Z",
            "9999-12-31T23:59:59-23:59",
            "9999-12-31T23:59:60Z",
            "0000-01-01T00:00:00Z",
            "2030-01-31",
            "2030-02-30T00:00:00Z",
            "é030-01-31T12:00:00Z",
            "",
        ] {
            assert!(bad.parse::<Timestamp>().is_err(), "{bad}");
        }
    }
}
