//! The ids and texts of guilds.

use crate::{
    contract::values::{LETTERS_AND_DIGITS, LINE, LINES},
    id_types, text_types,
};

id_types! {
    /// The id of a guild. It stays the same when the name changes.
    GuildId
    /// The id of a stored logo. It is used inside the site only.
    LogoId
}

text_types! {
    /// The name of a guild, unique without regard to case.
    GuildName { 3 ..= 30, LETTERS_AND_DIGITS, "Night Watch", trimmed }
    /// The message of the day.
    Motd { 0 ..= 255, LINE, "Meeting on Sunday at eight." }
    /// The description of a guild.
    GuildDescription { 0 ..= 2000, LINES, "We guard the northern wall." }
}
