//! Changes the message of the day or the description of a guild.

use guildhall_common::contract::{
    actor::Actor,
    command::Failure,
    guild::{
        AssignableRank, ChangeDescription, ChangeMotd, GuildAction, GuildChanged, GuildCommand, GuildId,
        GuildRank, GuildRefusal, guild_key, guilds_key,
    },
};
use sqlx::PgConnection;

use crate::{
    engine::{
        rule::{Context, account_of},
        rules::SetRule,
    },
    guild::access::missing_rank,
};

/// The texts that a command changes.
struct Change<'a> {
    actor: Actor,
    guild_id: GuildId,
    motd: Option<&'a str>,
    description: Option<&'a str>,
}

/// The guild of a command, with its texts after the command.
pub(crate) struct Changed {
    guild_id: GuildId,
    name: String,
    motd: String,
    description: String,
    is_allowed: bool,
}

impl SetRule for ChangeMotd {
    /// None: there is no such guild.
    type Row = Option<Changed>;

    fn of(command: &GuildCommand) -> Option<&Self> {
        if let GuildCommand::ChangeMotd(command) = command { Some(command) } else { None }
    }

    async fn apply_all(
        database: &mut PgConnection,
        commands: &[(Actor, &Self)],
    ) -> sqlx::Result<Vec<Self::Row>> {
        let changes = commands.iter().map(|&(actor, Self { guild_id, motd })| Change {
            actor,
            guild_id: *guild_id,
            motd: Some(motd),
            description: None,
        });
        change(database, GuildAction::ChangeMotd, changes.collect()).await
    }

    fn complete(cx: &mut Context<'_>, row: Self::Row) -> Result<GuildChanged, Failure> {
        let changed = complete(cx, GuildAction::ChangeMotd, row)?;
        cx.publish("guild.motd_changed", &changed);
        Ok(changed)
    }
}

impl SetRule for ChangeDescription {
    /// None: there is no such guild.
    type Row = Option<Changed>;

    fn of(command: &GuildCommand) -> Option<&Self> {
        if let GuildCommand::ChangeDescription(command) = command { Some(command) } else { None }
    }

    async fn apply_all(
        database: &mut PgConnection,
        commands: &[(Actor, &Self)],
    ) -> sqlx::Result<Vec<Self::Row>> {
        let changes = commands.iter().map(|&(actor, Self { guild_id, description })| Change {
            actor,
            guild_id: *guild_id,
            motd: None,
            description: Some(description),
        });
        change(database, GuildAction::ChangeDescription, changes.collect()).await
    }

    fn complete(cx: &mut Context<'_>, row: Self::Row) -> Result<GuildChanged, Failure> {
        let changed = complete(cx, GuildAction::ChangeDescription, row)?;
        cx.publish("guild.description_changed", &changed);
        Ok(changed)
    }
}

/// Changes the same text of several guilds. The account of each change must have a member whose rank allows the action.
async fn change(
    database: &mut PgConnection,
    action: GuildAction,
    changes: Vec<Change<'_>>,
) -> sqlx::Result<Vec<Option<Changed>>> {
    let is_allowed = |rank: &AssignableRank| action.is_allowed(GuildRank::of_member(*rank, false));
    let ranks = [AssignableRank::Member, AssignableRank::ViceLeader].into_iter().filter(is_allowed);
    let ranks: Vec<_> = ranks.map(|rank| rank as i16).collect();
    let guilds: Vec<_> = changes.iter().map(|change| change.guild_id.get()).collect();
    let accounts: Vec<_> =
        changes.iter().map(|change| Ok(account_of(change.actor)?.get())).collect::<sqlx::Result<_>>()?;
    let motds: Vec<_> = changes.iter().map(|change| change.motd.map(str::to_owned)).collect();
    let descriptions: Vec<_> = changes.iter().map(|change| change.description.map(str::to_owned)).collect();
    let rows = sqlx::query!(
        r#"with wanted as (
               select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
                   with ordinality as wanted (guild_id, account_id, motd, description, number)
           ), found as (
               select number, guild_id, name, coalesce(wanted.motd, guilds.motd) as motd,
                      coalesce(wanted.description, guilds.description) as description,
                      exists (
                          select from guild_members join characters using (character_id)
                          where guild_members.guild_id = guilds.guild_id and characters.account_id = wanted.account_id
                            and deleted_at is null and (character_id = leader_id or rank = any($5))
                      ) as is_allowed
               from wanted join guilds using (guild_id)
           ), changed as (
               update guilds set motd = found.motd, description = found.description
               from found where guilds.guild_id = found.guild_id and is_allowed
           )
           select number as "number!", guild_id as "guild_id!: GuildId", name, motd as "motd!",
                  description as "description!", is_allowed as "is_allowed!"
           from found"#,
        &guilds,
        &accounts,
        &motds as _,
        &descriptions as _,
        &ranks,
    )
    .fetch_all(database)
    .await?;
    let mut changed: Vec<_> = changes.iter().map(|_| None).collect();
    for row in rows {
        changed[row.number as usize - 1] = Some(Changed {
            guild_id: row.guild_id,
            name: row.name,
            motd: row.motd,
            description: row.description,
            is_allowed: row.is_allowed,
        });
    }
    Ok(changed)
}

fn complete(
    cx: &mut Context<'_>,
    action: GuildAction,
    changed: Option<Changed>,
) -> Result<GuildChanged, Failure> {
    let Changed { guild_id, name, motd, description, is_allowed } =
        changed.ok_or(GuildRefusal::GuildNotFound)?;
    if !is_allowed {
        return Err(missing_rank(action).into());
    }
    cx.invalidate([guild_key(&name), guilds_key()]);
    Ok(GuildChanged { guild_id, motd, description })
}
