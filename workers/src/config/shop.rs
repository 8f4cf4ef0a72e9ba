//! The settings of the shop.

use clap::Args;

/// The conditions of purchases.
#[derive(Debug, Clone, Args)]
pub struct ShopSettings {
    /// Whether something can be bought only for a character that the game has confirmed. Set it if the site has a game server: a
    /// player can create a character with any free name on the site
    #[arg(
        id = "purchase_confirmed_required",
        long,
        env = "GUILDHALL_PURCHASE_CONFIRMED_REQUIRED",
        default_value_t = false,
        action = clap::ArgAction::Set
    )]
    pub confirmed_required: bool,

    /// Whether an account needs a verified e-mail address to buy something. It has no effect without a mail server
    #[arg(long, env = "GUILDHALL_VERIFIED_EMAIL_REQUIRED", default_value_t = true, action = clap::ArgAction::Set)]
    pub verified_email_required: bool,
}
