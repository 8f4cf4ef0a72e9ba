//! Example mails, for operators who change templates.

use std::{fs, path::Path};

use anyhow::Context;
use guildhall_common::contract::account::Language;

use super::{check::load, kinds, site::Site};

/// Renders each mail with example values into files `LANGUAGE-KIND.html` and `.txt`. Returns the number of mails.
///
/// # Errors
/// A template is invalid, or a file cannot be written.
pub fn preview(folder: Option<&Path>, to: &Path) -> anyhow::Result<usize> {
    let templates = load(folder)?;
    fs::create_dir_all(to).with_context(|| format!("cannot create {}", to.display()))?;
    let mut count = 0;
    for kind in kinds::all() {
        for language in Language::ALL.map(Language::code) {
            let mail = templates.render(kind.name, language, &Site::example(), &kind.examples[0])?;
            let text = format!("Subject: {}\n\n{}", mail.subject, mail.text);
            for (extension, content) in [("txt", text), ("html", mail.html)] {
                let path = to.join(format!("{language}-{}.{extension}", kind.name));
                fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
            }
            count += 1;
        }
    }
    Ok(count)
}
