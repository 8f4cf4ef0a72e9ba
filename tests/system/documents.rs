//! The documents agree with the code: links, named files, endpoints, settings and commands exist. No test needs a server.

mod commands;
mod configuration;
mod markdown;

use std::collections::BTreeSet;

use serde_json::Value;

use self::markdown::{MarkdownDocument, documents, repository};
use crate::support::document::is_instance;

/// Collects what is wrong, so that one run shows everything.
#[derive(Default)]
struct Findings(Vec<String>);

impl Findings {
    fn add(&mut self, document: &MarkdownDocument, line: usize, text: impl AsRef<str>) {
        self.0.push(format!("{}:{line}: {}", document.path, text.as_ref()));
    }

    fn assert_empty(self) {
        assert!(self.0.is_empty(), "\n{}\n", self.0.join("\n"));
    }
}

#[test]
fn links_between_documents_resolve() {
    let mut findings = Findings::default();
    let all = documents();
    for document in &all {
        for (line, link) in document.links() {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = document.relative(file);
            if !repository().join(&path).exists() {
                findings.add(document, line, format!("{link} does not exist"));
            } else if !anchor.is_empty() {
                let target = all.iter().find(|other| other.path == path);
                if !target.is_some_and(|target| target.anchors().contains(anchor)) {
                    findings.add(document, line, format!("{link}: there is no heading #{anchor}"));
                }
            }
        }
    }
    findings.assert_empty();
}

#[test]
fn named_files_exist() {
    /// Created by tools, or an example of a file that a contributor adds.
    const ABSENT: [&str; 4] = ["generated", "tests/fuzz/artifacts", "set_motto", "target/"];
    let mut findings = Findings::default();
    // CHANGELOG names old files too.
    for document in documents().into_iter().filter(|document| document.path != "CHANGELOG.md") {
        for (line, code) in document.code_spans() {
            let root = code.split('/').next().unwrap_or_default();
            let is_path =
                code.contains('/') && !root.is_empty() && !code.contains(['…', '*', '{', ' ', '$', '<']);
            let path = if root == "src" { document.relative(&code) } else { code.clone() };
            let known = root == "src" || repository().join(root).is_dir() && !root.starts_with('.');
            if is_path
                && known
                && !ABSENT.iter().any(|absent| code.contains(absent))
                && !repository().join(&path).exists()
            {
                findings.add(&document, line, format!("{path} does not exist"));
            }
        }
    }
    findings.assert_empty();
}

#[test]
fn named_endpoints_are_in_the_openapi_document() {
    let openapi: Value =
        serde_json::from_str(&markdown::read("docs/openapi.json")).expect("docs/openapi.json is JSON");
    let paths = openapi["paths"].as_object().unwrap();
    let mut findings = Findings::default();
    for document in documents().iter().filter(|document| document.is_about_the_api()) {
        for (line, method, path) in document.endpoints() {
            let exists = paths.iter().any(|(template, item)| {
                is_instance(&path, template)
                    && method.as_ref().is_none_or(|method| item.get(method.to_lowercase()).is_some())
            });
            if !exists {
                let method = method.unwrap_or_default();
                findings.add(document, line, format!("{method} {path} is not an endpoint"));
            }
        }
    }
    findings.assert_empty();
}

#[test]
fn the_entrance_documents_are_short() {
    let lines = |path: &str| markdown::read(path).lines().count();
    assert!(lines("README.md") <= 150, "README.md has {} lines", lines("README.md"));
    assert!(
        lines("docs/ARCHITECTURE.md") <= 250,
        "ARCHITECTURE.md has {} lines",
        lines("docs/ARCHITECTURE.md")
    );
    let is_of_a_crate = |path: &str| {
        let folder = path.strip_suffix("/README.md").filter(|folder| !folder.starts_with("clients/"));
        folder.is_some_and(|folder| repository().join(folder).join("Cargo.toml").exists())
    };
    let documents = documents();
    let readmes: Vec<_> = documents.iter().filter(|document| is_of_a_crate(&document.path)).collect();
    assert!(readmes.len() >= 8, "the documents of the crates are not found");
    for MarkdownDocument { path, .. } in readmes {
        assert!(lines(path) <= 30, "{path} has {} lines", lines(path));
    }
}

#[test]
fn documented_responses_are_json() {
    let mut findings = Findings::default();
    let mut count = 0;
    for document in documents() {
        for block in document.fences().into_iter().filter(|block| block.info.starts_with("json")) {
            count += 1;
            if let Err(error) = serde_json::from_str::<Value>(&block.text) {
                findings.add(&document, block.line, error.to_string());
            }
        }
    }
    findings.assert_empty();
    assert!(count >= 8, "README and TUTORIAL show fewer responses than before: {count}");
}

/// The headings that a section of a document links to are unique, or a link would reach the first only.
#[test]
fn headings_of_a_document_are_unique() {
    let mut findings = Findings::default();
    for document in documents() {
        let mut seen = BTreeSet::new();
        for (line, heading) in document.headings() {
            if !seen.insert(heading.clone()) && !document.path.ends_with("CHANGELOG.md") {
                findings.add(&document, line, format!("the heading {heading:?} occurs twice"));
            }
        }
    }
    findings.assert_empty();
}
