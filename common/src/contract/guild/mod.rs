//! Guilds: their commands and values.

mod accept_invite;
mod cancel_invite;
mod change_description;
mod change_logo;
mod change_motd;
mod change_rank;
mod create;
mod decline_invite;
mod delete;
mod invite;
mod kick;
mod leave;
mod logo;
mod moderate_logo;
mod pass_leadership;
mod rank;
mod refusal;
mod remove_logo;
mod set_nick;
pub mod values;

use super::cache_key::CacheKey;
use crate::domain;

pub use self::{
    logo::{LogoHash, LogoPicture, LogoPictures, LogoSize, PictureData, PictureType},
    rank::{AssignableRank, GuildAction, GuildRank},
    refusal::GuildRefusal,
    values::{GuildDescription, GuildId, GuildName, LogoId, Motd},
};

domain! {
    /// The commands about guilds.
    GuildCommand("guild") {
        create::CreateGuild,
        invite::InviteCharacter,
        accept_invite::AcceptInvite,
        decline_invite::DeclineInvite,
        cancel_invite::CancelInvite,
        leave::LeaveGuild,
        kick::KickMember,
        pass_leadership::PassLeadership,
        change_rank::ChangeRank,
        set_nick::SetNick,
        change_motd::ChangeMotd,
        change_description::ChangeDescription,
        change_logo::ChangeLogo,
        remove_logo::RemoveLogo,
        moderate_logo::ModerateLogo,
        delete::DeleteGuild,
    }
}

/// The public view of one guild, by its name in any case.
#[must_use]
pub fn guild_key(name: &str) -> CacheKey {
    CacheKey::new("guild", &name.to_ascii_lowercase())
}

/// All pages of the list of guilds.
#[must_use]
pub fn guilds_key() -> CacheKey {
    CacheKey::new("guilds", "")
}
