//! Markdown to HTML that is safe to show.

use pulldown_cmark::{Event, Options, Parser, html};

/// Quotes in quotes and lists in lists, at most. The sanitiser takes minutes over thousands.
const DEEPEST: usize = 32;

/// GitHub's tables, strike-through and task lists beside CommonMark, without HTML of the
/// writer's own; what is left is sanitised by an allow-list.
#[must_use]
pub fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut written = String::with_capacity(markdown.len() * 2);
    let mut depth = 0;
    let shallow = Parser::new_ext(markdown, options).filter(|event| match event {
        Event::Start(_) => {
            depth += 1;
            depth <= DEEPEST
        }
        Event::End(_) => {
            depth -= 1;
            depth < DEEPEST
        }
        Event::Html(_) | Event::InlineHtml(_) => false,
        _ => true,
    });
    html::push_html(&mut written, shallow);
    ammonia::clean(&written)
}

#[cfg(test)]
mod tests {
    use super::to_html;

    #[test]
    fn markdown_becomes_html() {
        assert_eq!(to_html("We **held** it."), "<p>We <strong>held</strong> it.</p>\n");
    }

    #[test]
    fn depth_is_bounded() {
        let began = std::time::Instant::now();
        for deep in [">".repeat(65_536), "1. ".repeat(20_000), "<div>".repeat(13_000), "*a ".repeat(20_000)] {
            assert!(to_html(&deep).matches("<blockquote>").count() <= super::DEEPEST);
        }
        assert!(began.elapsed().as_secs() < 5, "{:?}", began.elapsed());
    }

    #[test]
    fn nothing_that_runs_gets_through() {
        for evil in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            "[x](javascript:alert(1))",
            "<iframe src=//evil.example></iframe>",
            "<a href=\"data:text/html,x\">x</a>",
            "<svg/onload=alert(1)>",
        ] {
            let html = to_html(evil);
            for trace in ["<script", "onerror", "javascript:", "<iframe", "data:", "<svg"] {
                assert!(!html.contains(trace), "{evil} became {html}");
            }
        }
    }
}
