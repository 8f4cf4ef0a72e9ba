//! The check of all templates at the start of a worker.

use std::path::Path;

use anyhow::{Context, bail};
use guildhall_common::contract::account::Language;

use super::{
    kinds::{self, LAYOUT, template_name},
    site::Site,
    templates::Templates,
};

/// The variables of `layout.html`.
const LAYOUT_VARIABLES: [&str; 6] = ["language", "subject", "preheader", "site", "blocks", "footer"];

/// Compiles the built-in templates, and checks them. A file of the same name in the folder replaces one.
///
/// # Errors
/// The folder is invalid, or a template in it uses a value that does not exist or cannot be rendered.
pub(crate) fn load(folder: Option<&Path>) -> anyhow::Result<Templates> {
    let compiled = Templates::compile(folder);
    let checked = compiled.and_then(|templates| check(&templates).map(|()| templates));
    checked.with_context(|| match folder {
        Some(folder) => format!("the mail templates in {} are invalid", folder.display()),
        None => "the built-in mail templates are invalid".to_owned(),
    })
}

fn check(templates: &Templates) -> anyhow::Result<()> {
    check_variables(templates)?;
    check_examples(templates)
}

/// Renders each mail. So a missing value shows at the start, and not when the mail is due.
fn check_examples(templates: &Templates) -> anyhow::Result<()> {
    for kind in kinds::all() {
        for language in Language::ALL {
            for example in &kind.examples {
                templates.render(kind.name, language.code(), &Site::example(), example)?;
            }
        }
    }
    Ok(())
}

/// Refuses variables that do not exist, also where no example leads.
fn check_variables(templates: &Templates) -> anyhow::Result<()> {
    refuse_other_variables(templates, LAYOUT, &LAYOUT_VARIABLES)?;
    for language in Language::ALL {
        refuse_other_variables(
            templates,
            &template_name(language.code(), kinds::FOOTER),
            &["site", "account_name"],
        )?;
        for kind in kinds::all() {
            refuse_other_variables(templates, &template_name(language.code(), kind.name), &kind.variables())?;
        }
    }
    Ok(())
}

fn refuse_other_variables(templates: &Templates, name: &str, known: &[&str]) -> anyhow::Result<()> {
    let template = templates.environment.get_template(name)?;
    let variables = template.undeclared_variables(false);
    if let Some(other) = variables.iter().find(|variable| !known.contains(&variable.as_str())) {
        let line = template.source().lines().take_while(|line| !line.contains(other)).count() + 1;
        bail!("{name}:{line}: there is no value {other}. The values are: {}", known.join(", "));
    }
    Ok(())
}
