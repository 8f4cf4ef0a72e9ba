//! Markdown to safe HTML.

use pulldown_cmark::{Event, Options, Parser, html::push_html};
use serde::{Deserialize, Serialize};

/// The version of the renderer. A change of its output raises it, and a job renders all posts again.
pub const RENDERER: i16 = 1;

/// A rendered text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rendered {
    /// The version of the renderer.
    pub renderer: i16,
    pub html: String,
}

impl Rendered {
    /// Renders the text with the renderer of this program. A long text takes some milliseconds.
    #[must_use]
    pub fn new(markdown: &str) -> Self {
        Self { renderer: RENDERER, html: to_html(markdown) }
    }
}

/// The maximum number of levels of nested quotes and lists. The sanitiser needs minutes for thousands of levels.
const MAX_DEPTH: usize = 32;

/// Renders CommonMark with GitHub's tables, strike-through and task lists. It removes HTML in the text,
/// and sanitises the result with an allow-list.
#[must_use]
pub fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut html = String::with_capacity(markdown.len() * 2);
    let mut depth = 0;
    let shallow = Parser::new_ext(markdown, options).filter(|event| match event {
        Event::Start(_) => {
            depth += 1;
            depth <= MAX_DEPTH
        }
        Event::End(_) => {
            depth -= 1;
            depth < MAX_DEPTH
        }
        Event::Html(_) | Event::InlineHtml(_) => false,
        _ => true,
    });
    push_html(&mut html, shallow);
    ammonia::clean(&html)
}

/// The stored HTML of a text. For the short time in which it is not rendered, the text without any format.
#[must_use]
pub fn stored_or_unformatted(html: Option<String>, markdown: &str) -> String {
    html.unwrap_or_else(|| format!("<p>{}</p>\n", ammonia::clean_text(markdown)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A different result needs another [`RENDERER`].
    #[test]
    fn renderer_has_the_output_of_its_version() {
        let text = include_str!("markdown_sample/sample.txt");
        assert_eq!((RENDERER, to_html(text).as_str()), (1, include_str!("markdown_sample/sample.html")));
    }

    #[test]
    fn pictures_of_the_site_are_shown() {
        let html = to_html("![The wall](/pictures/wall.jpg)");
        assert_eq!(html, "<p><img src=\"/pictures/wall.jpg\" alt=\"The wall\"></p>\n");
    }

    #[test]
    fn markdown_is_rendered_as_html() {
        assert_eq!(to_html("We **held** it."), "<p>We <strong>held</strong> it.</p>\n");
    }

    #[test]
    fn text_without_a_format_is_escaped() {
        let html = stored_or_unformatted(None, "**a** <script>");
        assert!(html.contains("**a**") && !html.contains("<script>"), "{html}");
    }

    #[test]
    fn depth_is_bounded() {
        let start = std::time::Instant::now();
        for deep in [
            "&".repeat(65_536),
            ">".repeat(65_536),
            "1. ".repeat(20_000),
            "<div>".repeat(13_000),
            "*a ".repeat(20_000),
        ] {
            assert!(to_html(&deep).matches("<blockquote>").count() <= MAX_DEPTH);
        }
        assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
    }

    #[test]
    fn scripts_are_removed() {
        for attack in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "<iframe src=//evil.example></iframe>",
            "<a href=\"data:text/html,x\">x</a>",
            "<svg/onload=alert(1)>",
        ] {
            let html = to_html(attack);
            for trace in ["<script", "onerror", "javascript:", "<iframe", "data:", "<svg"] {
                assert!(!html.contains(trace), "{attack} became {html}");
            }
        }
    }
}
