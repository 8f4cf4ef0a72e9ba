//! Markdown to safe HTML and to a summary.

use std::{io, num::NonZero, sync::LazyLock, thread};

use guildhall_common::contract::news::Summary;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html::push_html};
use tokio::sync::Semaphore;

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

/// Renders on a thread for blocking work, because a long text takes some milliseconds. At most half of the processors render at the
/// same time, also for clients that have left.
///
/// # Errors
/// The work has panicked.
pub(super) async fn in_background<T: Send + 'static>(
    render: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    static SLOTS: LazyLock<Semaphore> = LazyLock::new(|| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Semaphore::new(processors.div_ceil(2))
    });
    let slot = SLOTS.acquire().await.map_err(io::Error::other)?;
    let render = move || {
        let _slot = slot;
        render()
    };
    Ok(tokio::task::spawn_blocking(render).await?)
}

/// The maximum number of characters of a summary that is derived from the text.
const SUMMARY_LENGTH: usize = 200;

/// The beginning of the first paragraph without formatting and pictures: whole words, up to 200 characters.
pub(super) fn summary(markdown: &str) -> Summary {
    let (mut text, mut pictures) = (String::new(), 0);
    for event in Parser::new(markdown) {
        match event {
            Event::Start(Tag::Image { .. }) => pictures += 1,
            Event::End(TagEnd::Image) => pictures -= 1,
            // The description of a picture.
            Event::Text(_) | Event::Code(_) if pictures > 0 => {}
            Event::Text(part) | Event::Code(part) => text.push_str(&part),
            Event::SoftBreak | Event::HardBreak => text.push(' '),
            Event::End(TagEnd::Paragraph) if !text.trim().is_empty() => break,
            Event::End(TagEnd::Heading(_)) => text.clear(),
            _ => {}
        }
    }
    let mut summary = String::new();
    for word in text.split_whitespace() {
        if summary.chars().count() + 1 + word.chars().count() > SUMMARY_LENGTH {
            summary.push('…');
            break;
        }
        if !summary.is_empty() {
            summary.push(' ');
        }
        summary.push_str(word);
    }
    // A text with characters that a summary may not have gives an empty one.
    summary.parse().unwrap_or_else(|_| String::new().try_into().expect("a summary may be empty"))
}

/// The path of the first picture that is on the site itself.
pub(super) fn first_picture(markdown: &str) -> Option<String> {
    Parser::new(markdown).find_map(|event| match event {
        Event::Start(Tag::Image { dest_url, .. }) if is_path(&dest_url) => Some(dest_url.into_string()),
        _ => None,
    })
}

/// Whether it is an address without a host. Browsers read `//host/` and `/\host/` as addresses with one.
fn is_path(address: &str) -> bool {
    address.starts_with('/') && !address.starts_with("//") && !address.contains('\\')
}

#[cfg(test)]
mod tests {
    use super::{first_picture, summary, to_html};

    #[test]
    fn summary_is_the_beginning_of_the_text() {
        assert_eq!(&*summary("# Title\n\nWe **held**\nthe `wall`.\n\nMore."), "We held the wall.");
        assert_eq!(&*summary("<b>\n\n***\n"), "");
        let long = summary(&"word ".repeat(100));
        assert_eq!((long.chars().count(), long.ends_with("word…")), (200, true));
        assert_eq!(&*summary(&"x".repeat(300)), "…");
    }

    #[test]
    fn summary_has_no_descriptions_of_pictures() {
        assert_eq!(&*summary("![The wall](/pictures/wall.jpg)\n\nWe held it."), "We held it.");
        assert_eq!(&*summary("![The *old* `wall`](/a.jpg) We held it."), "We held it.");
    }

    #[test]
    fn pictures_of_the_site_are_shown() {
        let html = to_html("![The wall](/pictures/wall.jpg)");
        assert_eq!(html, "<p><img src=\"/pictures/wall.jpg\" alt=\"The wall\"></p>\n");
    }

    #[test]
    fn first_picture_is_on_the_site() {
        let text =
            "![a](https://other.example/a.jpg) ![b](//other.example/b.jpg) ![c](/\\other.example/c.jpg)";
        assert_eq!(first_picture(text), None);
        let text = format!("{text} [![d](/pictures/d.jpg)](https://other.example) ![e](/pictures/e.jpg)");
        assert_eq!(first_picture(&text).as_deref(), Some("/pictures/d.jpg"));
    }

    #[test]
    fn markdown_is_rendered_as_html() {
        assert_eq!(to_html("We **held** it."), "<p>We <strong>held</strong> it.</p>\n");
    }

    #[test]
    fn depth_is_bounded() {
        let start = std::time::Instant::now();
        for deep in [">".repeat(65_536), "1. ".repeat(20_000), "<div>".repeat(13_000), "*a ".repeat(20_000)] {
            assert!(to_html(&deep).matches("<blockquote>").count() <= super::MAX_DEPTH);
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
