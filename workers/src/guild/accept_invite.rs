use guildhall_common::contract::{
    command::{Failure, OnConstraint},
    guild::{AcceptInvite, GuildRank, GuildRefusal, MemberJoined},
};

use crate::engine::rule::{Context, Rule};

impl Rule for AcceptInvite {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<MemberJoined, Failure> {
        let guild = cx.guild(self.guild_id).await?;
        let character = cx.own_character(&self.character).await?;
        let character = cx.lock_character(character.character_id).await?;
        let invite = sqlx::query!(
            "select from guild_invites where guild_id = $1 and character_id = $2 and expires_at > $3",
            guild.guild_id,
            character.character_id,
            cx.now,
        );
        if invite.fetch_optional(&mut *cx.db).await?.is_none() {
            return Err(GuildRefusal::InviteNotFound.into());
        }
        cx.must_be_offline(character.online)?;
        let members = sqlx::query_scalar!(
            r#"select count(*) as "count!" from guild_members where guild_id = $1"#,
            guild.guild_id,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        if members >= cx.settings.guild_member_cap {
            return Err(GuildRefusal::GuildFull.into());
        }
        join(cx, guild.guild_id, character.character_id, 1).await?;
        cx.membership_changed(&guild.name);
        let joined = MemberJoined {
            guild_id: guild.guild_id,
            character_id: character.character_id,
            rank: GuildRank::Member,
        };
        cx.event("guild.member_joined", &joined);
        Ok(joined)
    }
}

/// Makes a character a member; its other invites lose their point.
pub(super) async fn join(
    cx: &mut Context<'_>,
    guild_id: i64,
    character_id: i64,
    rank: i16,
) -> Result<(), Failure> {
    sqlx::query!(
        "insert into guild_members (character_id, guild_id, rank) values ($1, $2, $3)",
        character_id,
        guild_id,
        rank,
    )
    .execute(&mut *cx.db)
    .await
    .on_constraint("guild_members_pkey", GuildRefusal::AlreadyInGuild)?;
    sqlx::query!("delete from guild_invites where character_id = $1", character_id)
        .execute(&mut *cx.db)
        .await?;
    Ok(())
}
