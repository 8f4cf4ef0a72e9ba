//! Names and addresses of accounts, and the ids of their sessions.

use crate::{text_types, uuid_ids};

uuid_ids! {
    /// The id of a session.
    SessionId
}

text_types! {
    /// The name of an account, unique without regard to case.
    AccountName { 3 ..= 32, r"^[A-Za-z][A-Za-z0-9_]*$", "mira", trimmed }
    /// An e-mail address. A verified one belongs to one account, without regard to case.
    Email { 6 ..= 254, r"^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$", "mira@example.org", trimmed }
}
