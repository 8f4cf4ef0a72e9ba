//! Compiled templates.

use std::path::Path;

use anyhow::{Context, bail};
use minijinja::{Environment, Error, Value, context, value::Serde};

use super::{
    block::{self, Block},
    environment,
    kinds::{self, LAYOUT, template_name},
    overrides,
    site::Site,
    values,
};

/// The templates of all mails in all languages.
pub(crate) struct Templates {
    pub(super) environment: Environment<'static>,
}

/// The contents of a mail.
#[derive(Debug)]
pub(crate) struct Rendered {
    pub(crate) subject: String,
    pub(crate) text: String,
    pub(crate) html: String,
}

impl Templates {
    /// Compiles the built-in templates. A file of the same name in the folder replaces one.
    ///
    /// # Errors
    /// The folder or a template in it is invalid.
    pub(super) fn compile(folder: Option<&Path>) -> anyhow::Result<Self> {
        let mut overrides = folder.map(overrides::read).transpose()?.unwrap_or_default();
        let mut environment = environment::new()?;
        for (name, built_in) in kinds::sources() {
            let source = overrides.remove(&name).unwrap_or_else(|| built_in.to_owned());
            let source = if name == LAYOUT { source } else { block::mark(&source) };
            environment.add_template_owned(name, source)?;
        }
        if let Some(name) = overrides.keys().next() {
            bail!("{name}: there is no template of this name");
        }
        Ok(Self { environment })
    }

    /// Renders a mail.
    ///
    /// # Errors
    /// There is no such template, or a value is missing.
    pub(crate) fn render(
        &self,
        kind: &str,
        language: &str,
        site: &Site,
        values: &serde_json::Value,
    ) -> anyhow::Result<Rendered> {
        let site = site.values();
        let values = context! { site => site.clone(), ..Value::from(Serde(values::clean(values))) };
        let name = template_name(language, kind);
        let mail = self.fill(&name, values.clone())?;
        let (subject, body) = split_subject(&mail)
            .with_context(|| format!("{name}:1: begin with \"Subject: …\" and an empty line"))?;
        let blocks = block::parse(body).with_context(|| name.clone())?;
        let footer_name = template_name(language, kinds::FOOTER);
        let footer = block::parse(&self.fill(&footer_name, values)?).context(footer_name)?;
        let footer = block::text(&footer);
        let page = context! {
            language, subject, site,
            preheader => blocks.iter().find_map(Block::preheader),
            blocks => Serde(&blocks),
            footer => Serde(footer.lines().collect::<Vec<_>>()),
        };
        Ok(Rendered {
            subject: subject.to_owned(),
            // Mail programs recognise a footer by this line.
            text: format!("{}\n\n-- \n{footer}\n", block::text(&blocks)),
            html: self.fill(LAYOUT, page)?,
        })
    }

    /// The errors of minijinja name the file and the line.
    fn fill(&self, name: &str, values: Value) -> Result<String, Error> {
        self.environment.get_template(name)?.render(values)
    }
}

/// The subject and the body of a filled template.
fn split_subject(mail: &str) -> Option<(&str, &str)> {
    let (first, rest) = mail.split_once('\n')?;
    let subject = first.strip_prefix("Subject:")?.trim();
    let body = rest.strip_prefix('\n')?;
    (!subject.is_empty() && !body.trim().is_empty()).then_some((subject, body))
}
