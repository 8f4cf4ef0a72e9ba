//! The senders of commands.

use serde::Serialize;

/// Who may send a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sender {
    /// Everybody. A secret in the request may be needed, such as a password or the token of a mail.
    Visitor,
    /// Every account.
    Player,
    Editor,
    Merchant,
    Admin,
    /// A game server, by its service token.
    GameServer,
    /// A payment provider, by the secret or the signature of its notifications.
    PaymentProvider,
}
