//! What a post shows of its text: HTML, a summary, a picture.

use std::{io, num::NonZero, sync::LazyLock, thread};

use guildhall_common::{contract::news::Summary, markdown::Rendered};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use tokio::sync::Semaphore;

use crate::http::problem::Problem;

/// Renders on a thread for blocking work, because a long text takes some milliseconds. At most half of the processors render at the
/// same time, also for clients that have left.
///
/// # Errors
/// 500: the renderer has panicked.
pub(super) async fn rendered(body: &str) -> Result<Rendered, Problem> {
    static SLOTS: LazyLock<Semaphore> = LazyLock::new(|| {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        Semaphore::new(processors.div_ceil(2))
    });
    let body = body.to_owned();
    let render = async {
        let slot = SLOTS.acquire().await.map_err(io::Error::other)?;
        let render = move || {
            let _slot = slot;
            Rendered::new(&body)
        };
        Ok(tokio::task::spawn_blocking(render).await?)
    };
    render.await.map_err(|error: io::Error| Problem::internal("post was not rendered", &error))
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
    use super::{first_picture, summary};

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
    fn first_picture_is_on_the_site() {
        let text =
            "![a](https://other.example/a.jpg) ![b](//other.example/b.jpg) ![c](/\\other.example/c.jpg)";
        assert_eq!(first_picture(text), None);
        let text = format!("{text} [![d](/pictures/d.jpg)](https://other.example) ![e](/pictures/e.jpg)");
        assert_eq!(first_picture(&text).as_deref(), Some("/pictures/d.jpg"));
    }
}
