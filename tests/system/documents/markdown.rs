//! Reads the Markdown files of the repository: links, headings, code spans and code blocks.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/// Paths that are served and are no operation of the OpenAPI document.
const UNDOCUMENTED: [&str; 5] = ["/healthz", "/readyz", "/metrics", "/docs", "/openapi.json"];
/// Paths of a bank's API Pix.
const OF_THE_BANK: [&str; 3] = ["/cob", "/cob/{txid}", "/pix"];
/// The addresses of the api in the documents.
const API: [&str; 3] = ["$API", "http://127.0.0.1:8080", "https://api.example.org"];
/// Folders with files that are not ours.
const SKIPPED: [&str; 4] = ["target", "node_modules", "generated", ".git"];

/// A Markdown file, with its path in the repository.
pub(super) struct MarkdownDocument {
    pub(super) path: String,
    pub(super) text: String,
}

/// A fenced code block, with the line of its fence.
pub(super) struct Fence {
    pub(super) line: usize,
    pub(super) info: String,
    pub(super) text: String,
}

pub(super) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(super) fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All Markdown files of the repository.
pub(super) fn documents() -> Vec<MarkdownDocument> {
    let mut paths = Vec::new();
    collect(Path::new(""), &mut paths);
    paths.sort();
    assert!(paths.len() > 15, "the documents are not found");
    paths.into_iter().map(|path| MarkdownDocument { text: read(&path), path }).collect()
}

fn collect(folder: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(repository().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = folder.join(&name);
        let is_hidden = name.starts_with('.') && name != ".github";
        if entry.path().is_dir() {
            if !is_hidden && !SKIPPED.contains(&name.as_str()) {
                collect(&path, paths);
            }
        } else if name.ends_with(".md") {
            paths.push(path.to_str().unwrap().to_owned());
        }
    }
}

impl MarkdownDocument {
    /// The path in the repository of a file that this document names.
    pub(super) fn relative(&self, file: &str) -> String {
        if file.is_empty() {
            return self.path.clone();
        }
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        for part in file.trim_end_matches('/').split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Whether its paths are those of the API. The fake bank and generated clients have their own.
    pub(super) fn is_about_the_api(&self) -> bool {
        !self.path.starts_with("tests/sandbox/")
            && !self.path.starts_with("clients/")
            && !self.path.ends_with("SANDBOX.md")
            && !self.path.ends_with("DRILLS.md")
    }

    /// The fenced code blocks.
    pub(super) fn fences(&self) -> Vec<Fence> {
        let mut fences = Vec::new();
        let mut open: Option<Fence> = None;
        for (number, line) in self.numbered() {
            match (line.strip_prefix("```"), open.take()) {
                (Some(_), Some(fence)) => fences.push(fence),
                (Some(info), None) => {
                    open = Some(Fence { line: number, info: info.to_owned(), text: String::new() });
                }
                (None, Some(mut fence)) => {
                    fence.text += &format!("{line}\n");
                    open = Some(fence);
                }
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: a code block has no end", self.path);
        fences
    }

    fn numbered(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// The lines outside of code blocks.
    fn prose(&self) -> Vec<(usize, &str)> {
        let mut in_fence = false;
        let prose = self.numbered().filter(|(_, line)| {
            let is_fence = line.starts_with("```");
            in_fence ^= is_fence;
            !in_fence && !is_fence && !line.starts_with("    ")
        });
        prose.collect()
    }

    /// The command lines in code blocks, with continuation lines joined and comments removed.
    pub(super) fn command_lines(&self) -> Vec<(usize, String)> {
        let mut lines: Vec<(usize, String)> = Vec::new();
        let prose: BTreeSet<usize> = self.prose().into_iter().map(|(number, _)| number).collect();
        let mut continues = false;
        for (number, line) in self.numbered().filter(|(number, _)| !prose.contains(number)) {
            let text = line.trim();
            let text = text.split_once(" #").map_or(text, |(command, _)| command.trim_end());
            let (text, goes_on) =
                text.strip_suffix('\\').map_or((text, false), |text| (text.trim_end(), true));
            match lines.last_mut() {
                Some((_, last)) if continues => *last += &format!(" {text}"),
                _ => lines.push((number, text.to_owned())),
            }
            continues = goes_on;
        }
        lines
    }

    /// The texts between backticks.
    pub(super) fn code_spans(&self) -> Vec<(usize, String)> {
        let spans = self.prose().into_iter().flat_map(|(number, line)| {
            line.split('`').skip(1).step_by(2).map(move |span| (number, span.to_owned())).collect::<Vec<_>>()
        });
        spans.collect()
    }

    /// The targets of links and pictures.
    pub(super) fn links(&self) -> Vec<(usize, String)> {
        let links = self.prose().into_iter().flat_map(|(number, line)| {
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            targets.map(move |target| (number, target.to_owned())).collect::<Vec<_>>()
        });
        links.collect()
    }

    pub(super) fn headings(&self) -> Vec<(usize, String)> {
        let headings = self.prose().into_iter().filter_map(|(number, line)| {
            let heading = line.trim_start_matches('#');
            (heading.len() < line.len()).then(|| (number, heading.trim().to_owned()))
        });
        headings.collect()
    }

    /// The anchors of the headings, as GitHub makes them.
    pub(super) fn anchors(&self) -> BTreeSet<String> {
        let anchor = |heading: String| -> String {
            let kept = heading.to_lowercase();
            let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        };
        self.headings().into_iter().map(|(_, heading)| anchor(heading)).collect()
    }

    /// The endpoints that the document names: their line, their method if it is named, and their path.
    pub(super) fn endpoints(&self) -> Vec<(usize, Option<String>, String)> {
        let mut endpoints = Vec::new();
        for (line, span) in self.code_spans() {
            let (method, path) = match span.split_once(' ') {
                Some((method, path)) if METHODS.contains(&method) => (Some(method.to_owned()), path),
                _ => (None, span.as_str()),
            };
            endpoints.push((line, method, path.to_owned()));
        }
        for (line, command) in self.command_lines() {
            for address in API {
                let paths = command.split(address).skip(1);
                let paths =
                    paths.map(|path| path.split([' ', '"', '\'', ')']).next().unwrap_or_default().to_owned());
                endpoints.extend(paths.map(|path| (line, None, path)));
            }
        }
        endpoints.retain_mut(|(_, _, path)| {
            path.truncate(path.find('?').unwrap_or(path.len()));
            let is_ours = path.starts_with('/') && !path.contains(['…', ' ']) && path.len() > 1;
            is_ours && !UNDOCUMENTED.contains(&path.as_str()) && !OF_THE_BANK.contains(&path.as_str())
        });
        endpoints
    }
}
