//! Text in XML and HTML.

use std::fmt::{self, Display, Formatter, Write};

/// A text in an element or in an attribute with double quotes. Characters that XML 1.0 forbids are replaced: a reference in Markdown
/// can make them.
pub(crate) struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' => f.write_char(c)?,
                '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let hostile = "<script>\"a\" & 'b'</script>]]>\u{0}\u{1b}\u{ffff}\t\r\n";
        assert_eq!(
            Escaped(hostile).to_string(),
            "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;]]&gt;\u{fffd}\u{fffd}\u{fffd}\t\u{fffd}\n"
        );
    }
}
