//! The messages of the queues: each has one command, or several that an api published together.

use serde_json::value::RawValue;

/// The body of a message with these commands, each an [`Envelope`](super::command::Envelope) as JSON.
///
/// One command is the body itself. Several commands are an array.
#[must_use]
pub fn join(commands: &[Vec<u8>]) -> Vec<u8> {
    match commands {
        [command] => command.clone(),
        _ => [b"[".as_slice(), &commands.join(&b','), b"]"].concat(),
    }
}

/// The commands of a message. A message that is not an array is returned whole.
#[must_use]
pub fn split(body: &[u8]) -> Vec<&[u8]> {
    if body.first() == Some(&b'[')
        && let Ok(commands) = serde_json::from_slice::<Vec<&RawValue>>(body)
        && !commands.is_empty()
    {
        return commands.into_iter().map(|command| command.get().as_bytes()).collect();
    }
    vec![body]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_that_are_joined_are_split_again() {
        let commands: Vec<Vec<u8>> = vec![br#"{"a":[1,2]}"#.into(), br#"{"b":"],[\""}"#.into(), b"{}".into()];
        for count in 1..=commands.len() {
            assert_eq!(split(&join(&commands[..count])), commands[..count]);
        }
    }

    #[test]
    fn message_that_is_no_array_of_commands_stays_whole() {
        for body in [b"".as_slice(), b"{", b"{}", b"[", b"[{},", b"[]", b"\xff\xfe"] {
            assert_eq!(split(body), [body]);
        }
    }
}
