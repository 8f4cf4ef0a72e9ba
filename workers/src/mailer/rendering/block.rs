//! The blocks of a mail: paragraphs, buttons, and large text.

use anyhow::ensure;
use serde::Serialize;

// These characters mark blocks in a compiled template. No value contains control characters, so no value adds a button.
const LARGE: char = '\u{1}';
const BUTTON: char = '\u{2}';
const BUTTON_LINK: char = '\u{3}';

/// A part of a mail.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "form", rename_all = "snake_case")]
pub(super) enum Block {
    Paragraph {
        lines: Vec<String>,
    },
    /// A code, in large type.
    Large {
        text: String,
    },
    Button {
        label: String,
        link: String,
    },
}

/// Marks the blocks of a template: `# text` becomes large, and `[label](link)` a button. Each is a line of its own.
pub(super) fn mark(source: &str) -> String {
    source.trim_start_matches('\u{feff}').lines().map(mark_line).collect::<Vec<_>>().join("\n")
}

fn mark_line(line: &str) -> String {
    let line = line.trim_end();
    if let Some(text) = line.strip_prefix("# ") {
        return format!("{LARGE}{text}");
    }
    let button = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(')'));
    match button.and_then(|button| button.split_once("](")) {
        Some((label, link)) => format!("{BUTTON}{label}{BUTTON_LINK}{link}"),
        None => line.to_owned(),
    }
}

/// The blocks of a filled template. Empty lines separate paragraphs.
///
/// # Errors
/// A button does not lead to a page.
pub(super) fn parse(filled: &str) -> anyhow::Result<Vec<Block>> {
    let mut blocks = Vec::new();
    let mut paragraph = Vec::new();
    for line in filled.lines().map(str::trim) {
        if !line.is_empty() && !line.starts_with([LARGE, BUTTON]) {
            paragraph.push(line.to_owned());
            continue;
        }
        end_paragraph(&mut paragraph, &mut blocks);
        if let Some(text) = line.strip_prefix(LARGE) {
            blocks.push(Block::Large { text: text.to_owned() });
        } else if let Some((label, link)) = line.split_once(BUTTON_LINK) {
            blocks.push(button(label.trim_start_matches(BUTTON), link)?);
        }
    }
    end_paragraph(&mut paragraph, &mut blocks);
    Ok(blocks)
}

fn end_paragraph(lines: &mut Vec<String>, blocks: &mut Vec<Block>) {
    if !lines.is_empty() {
        blocks.push(Block::Paragraph { lines: std::mem::take(lines) });
    }
}

/// The link is secret, so the error does not contain it.
fn button(label: &str, link: &str) -> anyhow::Result<Block> {
    let is_page = link.starts_with("https://") || link.starts_with("http://");
    ensure!(is_page, "the link of the button [{label}] must begin with https:// or http://");
    Ok(Block::Button { label: label.to_owned(), link: link.to_owned() })
}

/// The blocks as plain text.
pub(super) fn text(blocks: &[Block]) -> String {
    blocks.iter().map(Block::text).collect::<Vec<_>>().join("\n\n")
}

impl Block {
    fn text(&self) -> String {
        match self {
            Self::Paragraph { lines } => lines.join("\n"),
            Self::Large { text } => text.clone(),
            Self::Button { label, link } => format!("{label}:\n{link}"),
        }
    }

    /// What mail programs show beside the subject.
    pub(super) fn preheader(&self) -> Option<String> {
        match self {
            Self::Paragraph { lines } => Some(lines.join(" ")),
            Self::Large { .. } | Self::Button { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_blocks() {
        let source = "one  \r\n\ttwo\r\n\r\n\r\n# 12\n[a](https://example.org)\nthree\n#4\n[b] (c)";
        let expected = [
            Block::Paragraph { lines: vec!["one".to_owned(), "two".to_owned()] },
            Block::Large { text: "12".to_owned() },
            Block::Button { label: "a".to_owned(), link: "https://example.org".to_owned() },
            Block::Paragraph { lines: vec!["three".to_owned(), "#4".to_owned(), "[b] (c)".to_owned()] },
        ];
        let blocks = parse(&mark(source)).unwrap();
        assert_eq!(blocks, expected);
        assert_eq!(text(&blocks), "one\ntwo\n\n12\n\na:\nhttps://example.org\n\nthree\n#4\n[b] (c)");
    }
}
