//! Leaves a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{GuildAction, GuildRefusal, LeaveGuild, MemberRemoved},
};

use crate::{
    engine::{context::Context, rule::Rule},
    guild::membership,
};

impl Rule for LeaveGuild {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let character = cx.own_character(&self.character).await?;
        let member = guild.member(&character)?;
        if !GuildAction::Leave.is_allowed(member.rank) {
            return Err(GuildRefusal::LeaderCannotLeave.into());
        }
        membership::remove(cx, &guild, &member).await
    }
}
