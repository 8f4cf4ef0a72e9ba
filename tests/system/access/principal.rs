//! The principals that send each request.

/// The sender of a request. The owner comes last, because the effect of an operation may prevent other requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Principal {
    /// Without a token.
    Visitor,
    /// With the owner's access token and a wrong signature.
    InvalidToken,
    /// With the secret of the webhook.
    Bank,
    GameServer,
    OtherPlayer,
    Editor,
    Merchant,
    Admin,
    /// The player who owns the fixtures.
    Owner,
}

use Principal::{Admin, Bank, Editor, GameServer, InvalidToken, Merchant, OtherPlayer, Owner, Visitor};

pub(super) const ALL_PRINCIPALS: [Principal; 9] =
    [Visitor, InvalidToken, Bank, GameServer, OtherPlayer, Editor, Merchant, Admin, Owner];
