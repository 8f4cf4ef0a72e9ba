//! The settings that both binaries have. `--help` is their documentation.

mod logging;
mod object_store;
mod removed;
mod servers;
mod site;

use std::process::ExitCode;

use clap::{
    Command, Parser,
    error::{ContextKind, ContextValue, ErrorKind},
};

pub use self::{
    logging::{LogFormat, Logging},
    object_store::ObjectStoreSettings,
    removed::{REMOVED_SETTINGS, warn_about_removed_settings},
    servers::ServerSettings,
    site::{LanguageTag, SiteSettings},
};

/// Reads the command line and the environment. An error names each variable that is missing.
#[must_use]
pub fn parse<C: Parser>() -> C {
    C::try_parse().unwrap_or_else(|error| {
        let missing =
            error.get(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::MissingRequiredArgument);
        if let Some(ContextValue::Strings(flags)) = missing
            && let Some(settings) = settings(&C::command(), flags)
        {
            eprintln!("Required settings are missing. Set each by its environment variable or its flag:\n");
            for (variable, flag) in settings {
                eprintln!("    {variable} ({flag})");
            }
            eprintln!("\n--help describes them. This command makes a secret: openssl rand -base64 32");
            std::process::exit(2);
        }
        error.exit()
    })
}

/// The variables of these flags, or None if one of the flags has no variable.
fn settings<'a>(command: &Command, flags: &'a [String]) -> Option<Vec<(String, &'a str)>> {
    let setting = |flag: &'a String| {
        let flag = flag.split(' ').next()?;
        Some((variable(command, flag.strip_prefix("--")?)?, flag))
    };
    flags.iter().map(setting).collect()
}

fn variable(command: &Command, flag: &str) -> Option<String> {
    let own = command.get_arguments().find(|argument| argument.get_long() == Some(flag));
    let own = own.and_then(|argument| argument.get_env()).map(|name| name.to_string_lossy().into_owned());
    own.or_else(|| command.get_subcommands().find_map(|command| variable(command, flag)))
}

/// The exit code of a result. An error is printed with all its causes.
pub fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    let Err(error) = result else {
        return ExitCode::SUCCESS;
    };
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        // The message of many errors contains the message of their cause.
        if !message.contains(&cause) {
            message = if message.is_empty() { cause } else { format!("{message}: {cause}") };
        }
    }
    eprintln!("error: {message}");
    ExitCode::FAILURE
}
