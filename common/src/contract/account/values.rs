//! The names, addresses and ids of accounts, and the texts about them.

use crate::{contract::values::LINES, id_types, text_types, uuid_ids};

/// The ends of the names of fields whose values are names or addresses of people. The erasure of an account searches for these fields
/// in stored commands and outcomes.
pub const PERSONAL_FIELDS: [&str; 3] = ["name", "email", "killed_by"];

uuid_ids! {
    /// The id of a session.
    SessionId
}

id_types! {
    /// The id of a note about an account.
    AccountNoteId
}

text_types! {
    /// The name of an account, unique without regard to case.
    AccountName { 3 ..= 32, r"^[A-Za-z][A-Za-z0-9_]*$", "mira", trimmed }
    /// An e-mail address. A verified one belongs to one account, without regard to case.
    Email { 6 ..= 254, r"^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$", "mira@example.org", trimmed }
    /// A note of the staff about an account. Its player reads it only in a copy of their data.
    NoteText { 1 ..= 2000, LINES, "Asked twice about a lost item." }
    /// The code that a player types in the game, so that the game learns the account. Upper and lower case, hyphens and spaces do
    /// not matter.
    LinkCode { 8 ..= 20, r"^[0-9A-Za-z -]+$", "K7QF-3MPX" }
}

impl LinkCode {
    /// The code as it is hashed.
    #[must_use]
    pub fn normalized(&self) -> String {
        self.chars().filter(char::is_ascii_alphanumeric).map(|sign| sign.to_ascii_uppercase()).collect()
    }
}
