//! The committed document, and the changes that it may have.

use std::{env, fs, path::Path};

use super::compatibility::{incompatibilities, version_allows_incompatibility};
use crate::support::service::{openapi_document, openapi_text};

/// With `GUILDHALL_RENEW_DOCUMENT` set, the test commits the document, unless it breaks clients and the version of the build
/// does not say so. That version is compared with the last release.
#[test]
fn the_document_is_the_committed_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/openapi.json");
    let text = openapi_text();
    let committed = fs::read_to_string(&path).unwrap_or_default();
    if committed.trim() == text.trim() {
        return;
    }
    let (old, new) = (serde_json::from_str(&committed).unwrap_or_default(), openapi_document());
    let problems = incompatibilities(&old, &new);
    let is_refused =
        !problems.is_empty() && !version_allows_incompatibility(&last_release(), env!("CARGO_PKG_VERSION"));
    if !is_refused && env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        fs::write(path, text + "\n").unwrap();
        return;
    }
    let verdict = match (problems.is_empty(), is_refused) {
        (true, _) => "It is compatible with existing clients. If the change is intended: ./dev document",
        (_, false) => {
            "It breaks clients, and the version allows that. If the change is intended: ./dev document"
        }
        (_, true) => {
            "It breaks clients, and the version does not allow that. Keep what clients use, or raise the version."
        }
    };
    panic!(
        "the document differs from the committed docs/openapi.json\n  {}\n{verdict}",
        problems.join("\n  ")
    );
}

/// The version of the last release: the first heading of the changelog with a date.
fn last_release() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../CHANGELOG.md");
    let changelog = fs::read_to_string(path).unwrap();
    let mut headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let release = headings.find(|heading| !heading.contains("not released"));
    release.unwrap().split(' ').next().unwrap().to_owned()
}

#[test]
fn only_a_breaking_version_allows_incompatible_changes() {
    for (old, new) in [("0.1.0", "0.2.0"), ("0.1.9", "1.0.0"), ("1.4.0", "2.0.0"), ("0.0.3", "0.0.4")] {
        assert!(version_allows_incompatibility(old, new), "{old} to {new}");
    }
    for (old, new) in
        [("0.1.0", "0.1.0"), ("0.1.0", "0.1.1"), ("1.4.0", "1.5.0"), ("2.0.0", "1.9.0"), ("0.2.0", "0.1.0")]
    {
        assert!(!version_allows_incompatibility(old, new), "{old} to {new}");
    }
}

#[test]
fn the_document_is_valid_openapi() {
    let parsed: openapiv3::OpenAPI = serde_json::from_value(openapi_document()).unwrap();
    assert!(parsed.openapi.starts_with("3.0"));
    assert_eq!(parsed.info.version, env!("CARGO_PKG_VERSION"));
}
