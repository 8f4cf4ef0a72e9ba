//! Markdown to HTML that is safe to show.

use pulldown_cmark::{Options, Parser, html};

/// GitHub's tables, strike-through and task lists beside CommonMark; everything that could
/// run or frame something is taken out by an allow-list.
pub(super) fn to_html(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut written = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut written, Parser::new_ext(markdown, options));
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
