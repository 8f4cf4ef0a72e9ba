//! Texts of pictures: fonts, widths, and lines that fit.
//!
//! The fonts are part of the program, because a container has none.

use std::sync::{Arc, LazyLock};

use resvg::usvg::fontdb;
use skrifa::{
    FontRef, MetadataProvider,
    instance::{LocationRef, Size},
};

/// The family of both fonts. `api/fonts/OFL.txt` is their licence.
pub(super) const FAMILY: &str = "Alegreya";

static REGULAR: &[u8] = include_bytes!("../../fonts/Alegreya-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../../fonts/Alegreya-Bold.ttf");

/// The fonts for the renderer.
pub(super) static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(REGULAR.to_vec());
    fonts.load_font_data(BOLD.to_vec());
    Arc::new(fonts)
});

#[derive(Debug, Clone, Copy)]
pub(super) enum Weight {
    Regular,
    Bold,
}

impl Weight {
    fn font(self) -> Option<FontRef<'static>> {
        match self {
            Self::Regular => FontRef::new(REGULAR).ok(),
            Self::Bold => FontRef::new(BOLD).ok(),
        }
    }

    /// The text with single spaces, and without characters that the font cannot draw, such as emoji. XML forbids control characters.
    pub(super) fn drawable(self, text: &str) -> String {
        let Some(font) = self.font() else { return String::new() };
        let glyphs = font.charmap();
        let is_drawable = |char: &char| !char.is_control() && glyphs.map(*char).is_some();
        let words = text.split_whitespace().map(|word| word.chars().filter(is_drawable).collect::<String>());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The width of a text at this size. Kerning is ignored: it only makes texts narrower.
    pub(super) fn width(self, text: &str, size: f32) -> f32 {
        text.chars().map(self.char_width(size)).sum()
    }

    /// The width of each character at this size.
    fn char_width(self, size: f32) -> impl Fn(char) -> f32 {
        let font = self
            .font()
            .map(|font| (font.charmap(), font.glyph_metrics(Size::new(size), LocationRef::default())));
        move |char| {
            let width = font.as_ref().and_then(|(glyphs, metrics)| metrics.advance_width(glyphs.map(char)?));
            width.unwrap_or_default()
        }
    }

    /// The largest size up to this one at which the text has this width at most.
    pub(super) fn fitting_size(self, text: &str, size: f32, width: f32) -> f32 {
        size.min(size * width / self.width(text, size).max(1.0))
    }

    /// The text in lines of this width. What does not fit into the last one becomes an ellipsis.
    pub(super) fn lines(self, text: &str, size: f32, width: f32, max_lines: usize) -> Vec<String> {
        let space = self.width(" ", size);
        let (mut lines, mut used) = (vec![String::new()], 0.0);
        for word in text.split(' ') {
            let word_width = self.width(word, size);
            match lines.last_mut() {
                Some(line) if line.is_empty() => {
                    line.push_str(word);
                    used = word_width;
                }
                Some(line) if used + space + word_width <= width => {
                    line.push(' ');
                    line.push_str(word);
                    used += space + word_width;
                }
                _ => {
                    lines.push(word.to_owned());
                    used = word_width;
                }
            }
            if lines.len() > max_lines {
                break;
            }
        }
        let is_cut = lines.len() > max_lines;
        lines.truncate(max_lines);
        let last = lines.len().saturating_sub(1);
        for (index, line) in lines.iter_mut().enumerate() {
            *line = self.shortened(line, size, width, is_cut && index == last);
        }
        lines
    }

    /// The line, or its beginning with an ellipsis if it is too wide or goes on.
    fn shortened(self, line: &str, size: f32, width: f32, goes_on: bool) -> String {
        if !goes_on && self.width(line, size) <= width {
            return line.to_owned();
        }
        let char_width = self.char_width(size);
        let mut used = char_width('…');
        let fits = |char: &char| {
            used += char_width(*char);
            used <= width
        };
        let kept: String = line.chars().take_while(fits).collect();
        format!("{}…", kept.trim_end())
    }
}

/// The text with the escapes of XML.
pub(super) fn escaped(text: &str) -> String {
    let escape = |text: String, (from, to): (char, &str)| text.replace(from, to);
    [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;"), ('\'', "&apos;")]
        .into_iter()
        .fold(text.to_owned(), escape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_without_a_glyph_is_left_out() {
        assert_eq!(Weight::Regular.drawable("Hail 🐉 to\n\tthe  north"), "Hail to the north");
        let european = "Über Ærøskøbing · Čeština · Ελλάδα · Москва · Việt…";
        assert_eq!(Weight::Regular.drawable(european), european);
        assert_eq!(Weight::Bold.drawable("漢字 🐉"), "");
    }

    #[test]
    fn lines_fit() {
        let text = "We guard the northern wall ".repeat(20);
        let lines = Weight::Regular.lines(text.trim(), 30.0, 300.0, 3);
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| Weight::Regular.width(line, 30.0) <= 300.0), "{lines:?}");
        assert!(lines[2].ends_with('…'), "{lines:?}");
        assert_eq!(Weight::Regular.lines("We guard.", 30.0, 300.0, 3), ["We guard."]);
        assert_eq!(Weight::Regular.lines("", 30.0, 300.0, 3), [""]);
        let word = Weight::Regular.lines(&"W".repeat(2000), 30.0, 300.0, 3);
        assert!(word.len() == 1 && word[0].ends_with('…'), "{word:?}");
    }

    #[test]
    fn long_names_get_a_smaller_size() {
        assert!((Weight::Bold.fitting_size("Night", 90.0, 600.0) - 90.0).abs() < f32::EPSILON);
        let name = "W".repeat(30);
        let size = Weight::Bold.fitting_size(&name, 90.0, 600.0);
        assert!(size < 90.0 && Weight::Bold.width(&name, size) < 601.0);
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("<a href=\"'&"), "&lt;a href=&quot;&apos;&amp;");
    }
}
