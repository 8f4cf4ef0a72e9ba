//! The values of mails. Some come from strangers: a device is the User-Agent of a log-in.

use serde_json::{Map, Value};

/// Values from the workers and from administrators. Mail programs may make links of them.
const MAY_BE_LINKS: [&str; 3] = ["link", "new_email", "reason"];

/// The dots that browsers accept in a host name.
const DOTS: [char; 4] = ['.', '\u{3002}', '\u{ff0e}', '\u{ff61}'];

/// The values as templates see them: one line each, without links. A value that is null is undefined.
pub(super) fn clean(values: &Value) -> Map<String, Value> {
    let values = values.as_object().into_iter().flatten();
    let known = values.filter(|(_, value)| !value.is_null());
    known.map(|(name, value)| (name.clone(), clean_value(name, value).into())).collect()
}

fn clean_value(name: &str, value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let line = one_line(&text);
    match name {
        "code" => in_two_groups(&line),
        name if MAY_BE_LINKS.contains(&name) => line,
        _ => without_links(&line),
    }
}

/// Removes what is invisible, and replaces line breaks and other control characters by spaces.
pub(super) fn one_line(text: &str) -> String {
    let visible = text.chars().filter(|character| !is_invisible(*character));
    let spaced: String =
        visible.map(|character| if character.is_control() { ' ' } else { character }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether a character only changes how others look. Some reverse the direction of a line.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

/// Eight digits as `1234 5678`.
fn in_two_groups(code: &str) -> String {
    match code.split_at_checked(4) {
        Some((first, second)) if second.len() == 4 => format!("{first} {second}"),
        _ => code.to_owned(),
    }
}

/// Adds spaces to addresses of pages, because mail programs make links of them without markup.
fn without_links(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        result.push(character);
        let begins_domain = |next: &char| DOTS.contains(&character) && !next.is_ascii_digit();
        let begins_path = |next: &char| character == ':' && *next == '/';
        if characters.peek().is_some_and(|next| *next != ' ' && (begins_domain(next) || begins_path(next))) {
            result.push(' ');
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn cleaned(name: &str, value: &str) -> Value {
        clean(&json!({ name: value }))[name].clone()
    }

    #[test]
    fn a_value_is_one_visible_line() {
        assert_eq!(
            cleaned("reason", "  one\r\ntwo\u{2028}three\0\u{7f}four\u{202e}\u{200b}!  "),
            "one two three four!"
        );
    }

    #[test]
    fn a_device_contains_no_link() {
        for (device, expected) in [
            ("Go to evil.example/login", "Go to evil. example/login"),
            ("https://203.0.113.7/a", "https: //203.0.113.7/a"),
            ("evil\u{3002}example me@evil.example", "evil\u{3002} example me@evil. example"),
            ("Mozilla/5.0 (X11; rv:140.0) Firefox/140.0.", "Mozilla/5.0 (X11; rv:140.0) Firefox/140.0."),
        ] {
            assert_eq!(cleaned("device", device), expected);
        }
        assert_eq!(cleaned("link", "https://example.org/a"), "https://example.org/a");
    }

    #[test]
    fn a_code_has_two_groups() {
        assert_eq!(cleaned("code", "12345678"), "1234 5678");
        assert_eq!(cleaned("code", "123456"), "123456");
    }

    #[test]
    fn null_is_undefined_and_a_number_is_text() {
        assert_eq!(
            Value::Object(clean(&json!({ "until": null, "codes_left": 7 }))),
            json!({ "codes_left": "7" })
        );
    }
}
