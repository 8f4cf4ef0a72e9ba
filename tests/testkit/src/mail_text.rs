//! What the recipient of a mail of the site finds in its text.

/// The token in the link to a page of the site, or in the first link if the page is empty.
#[must_use]
pub fn token<'a>(text: &'a str, page: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("{page}#token="))?;
    rest.split_whitespace().next()
}

/// The code, without its space: eight digits.
#[must_use]
pub fn code(text: &str) -> Option<String> {
    let is_code = |line: &&str| line.len() == 9 && line.bytes().filter(u8::is_ascii_digit).count() == 8;
    text.lines().map(str::trim).find(is_code).map(|line| line.replace(' ', ""))
}
