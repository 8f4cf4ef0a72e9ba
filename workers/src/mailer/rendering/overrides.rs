//! The templates of an operator.

use std::{collections::BTreeMap, fs, path::Path};

use anyhow::Context;

/// Reads the templates in a folder: their names, such as `en/verify_email.txt`, and their sources. Other files are ignored.
///
/// # Errors
/// The folder or a template cannot be read.
pub(super) fn read(folder: &Path) -> anyhow::Result<BTreeMap<String, String>> {
    let mut sources = BTreeMap::new();
    collect(folder, "", &mut sources)?;
    Ok(sources)
}

fn collect(folder: &Path, prefix: &str, sources: &mut BTreeMap<String, String>) -> anyhow::Result<()> {
    let unreadable = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(folder).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{prefix}{file}");
        if file.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            collect(&path, &format!("{name}/"), sources)?;
        } else if file.ends_with(".txt") || file.ends_with(".html") {
            let source = fs::read_to_string(&path).with_context(|| format!("cannot read {name}"))?;
            sources.insert(name, source);
        }
    }
    Ok(())
}
