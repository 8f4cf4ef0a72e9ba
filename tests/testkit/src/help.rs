//! The options in `./dev help drill` and `./dev help bench`. The script prints a file, because it builds nothing for that.

use std::{env, fs};

use anyhow::ensure;
use clap::Command;

/// Compares the file with the options of a program. With `GUILDHALL_RENEW_DOCUMENT` set, the file is updated instead.
///
/// # Errors
/// When the file is not up to date, or cannot be read or written.
pub fn check(command: Command, path: &str) -> anyhow::Result<()> {
    let text = text(command);
    if env::var_os("GUILDHALL_RENEW_DOCUMENT").is_some() {
        return Ok(fs::write(path, text)?);
    }
    ensure!(fs::read_to_string(path)? == text, "{path} is not up to date. Update it with ./dev document");
    Ok(())
}

/// The usage and the options of the program, and then of each of its commands.
fn text(command: Command) -> String {
    let mut command = command.term_width(120);
    command.build();
    let mut text = command.render_long_help().to_string();
    for subcommand in command.get_subcommands_mut() {
        if subcommand.get_name() != "help" && !subcommand.is_hide_set() {
            text += &format!("\n{}", subcommand.render_long_help());
        }
    }
    // clap writes spaces into empty lines.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}
