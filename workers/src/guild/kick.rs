//! Kicks a member.

use guildhall_common::contract::{
    command::Failure,
    guild::{GuildAction, GuildRefusal, KickMember, MemberRemoved},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::membership,
};

impl Rule for KickMember {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberRemoved, Failure> {
        let (guild, actor, character) =
            cx.guild_and_character_for(GuildAction::Kick, self.guild_id, &self.character).await?;
        let member = guild.member(&character)?;
        // A leader kicks everyone else, and a vice-leader kicks plain members.
        if member.rank >= actor.rank {
            return Err(GuildRefusal::RankTooLow.into());
        }
        membership::remove(cx, &guild, &member).await
    }
}
