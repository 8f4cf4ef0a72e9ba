use guildhall_common::contract::{
    command::Failure,
    guild::{GuildRank, GuildRefusal, LeaveGuild, MemberRemoved},
};

use crate::{
    engine::rule::{Context, Rule},
    guild::{Guild, Member},
};

impl Rule for LeaveGuild {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberRemoved, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        cx.own_character(&self.character).await?;
        let member = cx.member(&guild, &self.character).await?;
        if member.rank == GuildRank::Leader {
            return Err(GuildRefusal::LeaderCannotLeave.into());
        }
        remove(cx, &guild, &member).await
    }
}

/// Ends a membership, by leaving or by being kicked.
pub(super) async fn remove(
    cx: &mut Context<'_>,
    guild: &Guild,
    member: &Member,
) -> Result<MemberRemoved, Failure> {
    let character = cx.lock_character(member.character_id).await?;
    cx.must_be_offline(character.online)?;
    sqlx::query!("delete from guild_members where character_id = $1", member.character_id)
        .execute(&mut *cx.db)
        .await?;
    cx.membership_changed(&guild.name);
    let gone = MemberRemoved { guild_id: guild.guild_id, character_id: member.character_id };
    cx.event("guild.member_left", &gone);
    Ok(gone)
}
