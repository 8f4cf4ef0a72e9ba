//! The rule for names of characters, which depends on the game.

use clap::ValueEnum;
use guildhall_common::contract::character::CharacterName;

/// The names that a game allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CharacterNames {
    /// Letters, with single spaces, apostrophes and hyphens between them
    OpenTibia,
    /// Letters, digits and underscores
    Identifiers,
}

impl CharacterNames {
    /// Whether the game allows this name.
    #[must_use]
    pub fn allow(self, name: &CharacterName) -> bool {
        let is_allowed = match self {
            Self::OpenTibia => |c: char| !c.is_ascii_digit() && c != '_',
            Self::Identifiers => |c: char| c.is_ascii_alphanumeric() || c == '_',
        };
        name.chars().all(is_allowed)
    }

    /// The name in a text, if the game allows it.
    #[must_use]
    pub fn parse(self, text: &str) -> Option<CharacterName> {
        text.parse().ok().filter(|name| self.allow(name))
    }
}

#[cfg(test)]
mod tests {
    use super::CharacterNames::{Identifiers, OpenTibia};

    #[test]
    fn each_game_allows_its_names() {
        let allowed = |name: &str| [OpenTibia, Identifiers].map(|rule| rule.parse(name).is_some());
        assert_eq!(allowed("Mira"), [true, true]);
        assert_eq!(allowed("Mira O'Neil-Storm"), [true, false]);
        assert_eq!(allowed("Steve_123"), [false, true]);
        assert_eq!(allowed("Renamed 7"), [false, false]);
        assert_eq!(allowed("M\u{ee}ra"), [false, false]);
        assert_eq!(allowed(""), [false, false]);
    }
}
