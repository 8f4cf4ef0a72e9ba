//! Changes the message of the day or the description of a guild.

use guildhall_common::contract::{
    command::Failure,
    guild::{
        AssignableRank, ChangeDescription, ChangeMotd, GuildAction, GuildChanged, GuildId, GuildRank,
        GuildRefusal, guild_key, guilds_key,
    },
};

use crate::{
    engine::rule::{Context, Rule},
    guild::access::missing_rank,
};

impl Rule for ChangeMotd {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildChanged, Failure> {
        let changed = change(cx, GuildAction::ChangeMotd, self.guild_id, Some(&self.motd), None).await?;
        cx.publish("guild.motd_changed", &changed);
        Ok(changed)
    }
}

impl Rule for ChangeDescription {
    const REFUSES_BEFORE_WRITING: bool = true;

    async fn apply(&self, cx: &mut Context<'_>) -> Result<GuildChanged, Failure> {
        let changed =
            change(cx, GuildAction::ChangeDescription, self.guild_id, None, Some(&self.description)).await?;
        cx.publish("guild.description_changed", &changed);
        Ok(changed)
    }
}

/// Changes the texts that are given. The account must have a member whose rank allows the action.
///
/// One statement checks the permission and changes the guild, because each statement is a round trip, and the commands of a
/// batch wait for each other's.
async fn change(
    cx: &mut Context<'_>,
    action: GuildAction,
    guild_id: GuildId,
    motd: Option<&str>,
    description: Option<&str>,
) -> Result<GuildChanged, Failure> {
    let account_id = cx.account_id()?;
    let is_allowed = |rank: &AssignableRank| action.is_allowed(GuildRank::of_member(*rank, false));
    let ranks = [AssignableRank::Member, AssignableRank::ViceLeader].into_iter().filter(is_allowed);
    let ranks: Vec<_> = ranks.map(|rank| rank as i16).collect();
    let found = sqlx::query!(
        r#"with guild as (
               select guild_id, name, exists (
                   select from guild_members join characters using (character_id)
                   where guild_members.guild_id = guilds.guild_id and account_id = $2 and deleted_at is null
                     and (character_id = leader_id or rank = any($3))
               ) as is_allowed
               from guilds where guild_id = $1
           ), changed as (
               update guilds set motd = coalesce($4, motd), description = coalesce($5, description)
               from guild where guilds.guild_id = guild.guild_id and is_allowed
               returning motd, description
           )
           select name, motd as "motd?", description as "description?" from guild left join changed on true"#,
        guild_id.get(),
        account_id.get(),
        &ranks,
        motd,
        description,
    )
    .fetch_optional(&mut *cx.db)
    .await?
    .ok_or(GuildRefusal::GuildNotFound)?;
    let (motd, description) = found.motd.zip(found.description).ok_or_else(|| missing_rank(action))?;
    cx.invalidate([guild_key(&found.name), guilds_key()]);
    Ok(GuildChanged { guild_id, motd, description })
}
