//! The template engine.

use minijinja::{
    AutoEscape, Environment, Error, Output, State, UndefinedBehavior, Value, escape_formatter,
    syntax::SyntaxConfig,
};

/// The engine without templates. It escapes values in templates whose name ends with `.html`.
pub(super) fn new() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).build()?);
    environment.set_formatter(write_value);
    environment.add_filter("plural", plural);
    Ok(environment)
}

/// Escapes values in HTML. minijinja would also escape each `/`, and programs that search a mail for links would miss them.
fn write_value(output: &mut Output, state: &mut State, value: &Value) -> Result<(), Error> {
    if !matches!(state.auto_escape(), AutoEscape::Html) || value.is_safe() {
        return escape_formatter(output, state, value);
    }
    for character in value.to_string().chars() {
        match character {
            '&' => output.write_str("&amp;")?,
            '<' => output.write_str("&lt;")?,
            '>' => output.write_str("&gt;")?,
            '"' => output.write_str("&quot;")?,
            '\'' => output.write_str("&#39;")?,
            other => write!(output, "{other}")?,
        }
    }
    Ok(())
}

/// A number with its noun: `{{ expires_in_hours | plural("hour", "hours") }}`.
fn plural(number: &str, one: &str, several: &str) -> String {
    format!("{number} {}", if number == "1" { one } else { several })
}
