//! Text in XML and HTML.

use std::fmt::{self, Display, Formatter, Write};

/// A text in an element or in an attribute with double quotes. Characters that XML 1.0 or HTML forbid are replaced: a reference in Markdown
/// can make them, and version 0.3.0 accepted them.
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
                '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ if is_noncharacter(c) => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let hostile = "<script>\"a\" & 'b'</script>]]>\u{0}\u{1b}\u{ffff}\u{1ffff}\t\r\n";
        assert_eq!(
            Escaped(hostile).to_string(),
            "&lt;script&gt;&quot;a&quot; &amp; 'b'&lt;/script&gt;]]&gt;\u{fffd}\u{fffd}\u{fffd}\u{fffd}\t\u{fffd}\n"
        );
    }
}
