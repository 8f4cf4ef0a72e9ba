//! Environment variables that `./dev bench` sets.

use std::env;

use anyhow::Context;

/// The value of an environment variable.
///
/// # Errors
/// When the variable is not set.
pub(crate) fn setting(name: &str) -> anyhow::Result<String> {
    env::var(name).with_context(|| format!("{name} is not set. Start this program with ./dev bench"))
}
