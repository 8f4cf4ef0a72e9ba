//! The start and the end of a membership.

use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    guild::{AssignableRank, GuildId, MemberRemoved},
};

use crate::{
    engine::context::Context,
    guild::access::{Guild, Member},
};

/// Makes a character without a guild a member, and deletes its invites.
pub(super) async fn join(
    cx: &mut Context<'_>,
    guild_id: GuildId,
    character_id: CharacterId,
    rank: AssignableRank,
) -> sqlx::Result<()> {
    sqlx::query!(
        "with joined as (insert into guild_members (character_id, guild_id, rank) values ($1, $2, $3))
         delete from guild_invites where character_id = $1",
        character_id.get(),
        guild_id.get(),
        rank as _,
    )
    .execute(&mut *cx.db)
    .await?;
    Ok(())
}

/// Removes a member that leaves or is kicked.
pub(super) async fn remove(
    cx: &mut Context<'_>,
    guild: &Guild,
    member: &Member,
) -> Result<MemberRemoved, Failure> {
    cx.must_be_offline(member.online)?;
    sqlx::query!("delete from guild_members where character_id = $1", member.character_id.get())
        .execute(&mut *cx.db)
        .await?;
    cx.invalidate_guild(&guild.name);
    let removed = MemberRemoved { guild_id: guild.guild_id, character_id: member.character_id };
    cx.publish("guild.member_left", &removed);
    Ok(removed)
}
