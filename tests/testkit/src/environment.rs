//! The environment variables that `./dev` sets for a program of the toolbox.

use std::env;

use anyhow::Context;

/// The value of an environment variable.
///
/// # Errors
/// When the variable is not set.
pub fn setting(name: &str) -> anyhow::Result<String> {
    env::var(name).with_context(|| format!("{name} is not set. Start this program with ./dev"))
}

/// The name and secret of the demo account with this role. Each line of the accounts has a role, a name and a secret.
///
/// # Errors
/// When there is no account with this role.
pub fn credential(accounts: &str, role: &str) -> anyhow::Result<(String, String)> {
    let mut lines = accounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
    let found = lines.find_map(|words| match words[..] {
        [found, name, secret] if found == role => Some((name.to_owned(), secret.to_owned())),
        _ => None,
    });
    found.with_context(|| format!("there is no account with the role {role}"))
}
