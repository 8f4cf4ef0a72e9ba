//! The settings of characters.

use clap::Args;

use super::CharacterNames;

/// The rules of characters.
#[derive(Debug, Clone, Args)]
pub struct CharacterSettings {
    /// The maximum number of characters of an account, 1 to 1000000
    #[arg(
        long = "characters-per-account",
        env = "GUILDHALL_CHARACTERS_PER_ACCOUNT",
        default_value_t = 20,
        value_parser = clap::value_parser!(i64).range(1..=1_000_000)
    )]
    pub per_account: i64,

    /// The names of characters that the game allows. open-tibia: letters with single spaces, apostrophes and hyphens. identifiers:
    /// letters, digits and underscores
    #[arg(long = "character-names", env = "GUILDHALL_CHARACTER_NAMES", default_value = "open-tibia")]
    pub names: CharacterNames,

    /// The coins that a player pays for a new name of a character
    #[arg(long, env = "GUILDHALL_RENAME_COST", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    pub rename_cost: i64,
}
