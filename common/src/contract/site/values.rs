//! The names and ids of what administrators manage.

use serde_json::Value;

use crate::{contract::values::TITLE, id_types, text_types};

id_types! {
    /// The id of a dead letter.
    DeadLetterId
}

text_types! {
    /// The name of a service token. It is unique, revoked tokens included.
    ServiceTokenName { 1 ..= 60, TITLE, "World 1" }
}

/// The name of the command in the redacted message of a dead letter.
#[must_use]
pub fn command_name(redacted: &str) -> Option<String> {
    let message: Value = serde_json::from_str(redacted).ok()?;
    let name = message.pointer("/command/name")?.as_str()?;
    // A text that is no name is redacted.
    name.bytes().all(|byte| byte.is_ascii_lowercase() || b"._".contains(&byte)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::command_name;

    #[test]
    fn a_command_is_named_unless_its_name_is_redacted() {
        let named = |name: &str| command_name(&format!(r#"{{"command":{{"name":"{name}"}}}}"#));
        assert_eq!(named("guild.change_motd").as_deref(), Some("guild.change_motd"));
        assert_eq!(named("…"), None);
        assert_eq!(command_name("10 bytes that are no JSON"), None);
    }
}
