//! The message of the day of a guild: a small change for tests of the pipeline.

use serde_json::{Value, json};

/// The path of the command.
pub(crate) const CHANGE_MOTD: &str = "/guild/change-motd";

/// The body of the command.
pub(crate) fn motd_body(guild_id: i64, text: &str) -> Value {
    json!({ "guild_id": guild_id, "motd": text })
}
