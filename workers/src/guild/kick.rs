use guildhall_common::contract::{
    command::Failure,
    guild::{GuildRefusal, KickMember, MemberRemoved},
};

use crate::engine::rule::{Context, Rule};

impl Rule for KickMember {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberRemoved, Failure> {
        let (guild, actor) = cx.guild_as_leading(self.guild_id).await?;
        let member = cx.member(&guild, &self.character).await?;
        // The leader kicks anyone below, vice-leaders kick members; nobody kicks the leader.
        if member.rank >= actor.rank {
            return Err(GuildRefusal::RankTooLow.into());
        }
        super::leave::remove(cx, &guild, &member).await
    }
}
