//! The groups of operations in the OpenAPI document.

use poem_openapi::Tags;

/// A group of operations. The document lists the groups in the order of the endpoints.
#[derive(Tags)]
pub(crate) enum Tag {
    /// Registration, sessions and own characters.
    Accounts,
    /// Characters, as everybody sees them.
    Characters,
    /// Guilds, their members and invites.
    Guilds,
    /// Categories and offers of the shop, and purchases.
    Shop,
    /// Posts, for readers and editors.
    News,
    /// Instant payments for coins.
    Payments,
    /// The outcomes of commands.
    Operations,
    /// For game servers, with a service token.
    Game,
    /// For administrators.
    Administration,
}
