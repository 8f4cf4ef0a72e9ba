//! Changes the message of the day or the description of a guild.

use guildhall_common::contract::{
    command::{Command, Failure},
    guild::{ChangeDescription, ChangeMotd, GuildAction, GuildChanged, GuildCommand, GuildId, GuildRefusal},
};

use crate::engine::{
    context::{Context, account_of},
    throughput::{Sent, SetContext, SetRule},
};

/// A command that changes a text of a guild.
trait ChangeText: Command<Domain = GuildCommand, Output = GuildChanged> {
    const ACTION: GuildAction;
    /// The topic of its event.
    const TOPIC: &'static str;

    fn guild_id(&self) -> GuildId;

    fn motd(&self) -> Option<&str> {
        None
    }

    fn description(&self) -> Option<&str> {
        None
    }
}

impl ChangeText for ChangeMotd {
    const ACTION: GuildAction = GuildAction::ChangeMotd;
    const TOPIC: &'static str = "guild.motd_changed";

    fn guild_id(&self) -> GuildId {
        self.guild_id
    }

    fn motd(&self) -> Option<&str> {
        Some(&self.motd)
    }
}

impl ChangeText for ChangeDescription {
    const ACTION: GuildAction = GuildAction::ChangeDescription;
    const TOPIC: &'static str = "guild.description_changed";

    fn guild_id(&self) -> GuildId {
        self.guild_id
    }

    fn description(&self) -> Option<&str> {
        Some(&self.description)
    }
}

/// The guild of a command, with its texts after the command.
pub(crate) struct Changed {
    guild_id: GuildId,
    /// None: there is no such guild.
    name: Option<String>,
    motd: String,
    description: String,
    /// Whether the account has a member whose rank allows the change.
    is_allowed: bool,
}

impl<C: ChangeText> SetRule for C {
    type Row = Changed;

    async fn apply_all(cx: &mut SetContext<'_>, commands: &[Sent<'_, Self>]) -> sqlx::Result<Vec<Changed>> {
        let accounts = commands.iter().map(|sent| Ok(account_of(sent.actor)?.get()));
        let accounts: Vec<_> = accounts.collect::<sqlx::Result<_>>()?;
        let guilds: Vec<_> = commands.iter().map(|sent| sent.command.guild_id().get()).collect();
        let motds: Vec<_> = commands.iter().map(|sent| sent.command.motd()).collect();
        let descriptions: Vec<_> = commands.iter().map(|sent| sent.command.description()).collect();
        sqlx::query_as!(
            Changed,
            r#"with wanted as (
                   select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
                       with ordinality as wanted (guild_id, account_id, motd, description, number)
               ), found as (
                   select number, guild_id, name, coalesce(wanted.motd, guilds.motd, '') as motd,
                          coalesce(wanted.description, guilds.description, '') as description,
                          exists (select from allowed_members(guilds.guild_id, leader_id, wanted.account_id, $5)) as is_allowed
                   from wanted left join guilds using (guild_id)
               ), changed as (
                   update guilds set motd = found.motd, description = found.description
                   from found where guilds.guild_id = found.guild_id and is_allowed
               )
               select guild_id as "guild_id!: GuildId", name as "name?", motd as "motd!",
                      description as "description!", is_allowed as "is_allowed!"
               from found order by number"#,
            &guilds,
            &accounts,
            &motds as _,
            &descriptions as _,
            C::ACTION.ranks() as _,
        )
        .fetch_all(&mut *cx.db)
        .await
    }

    fn complete(cx: &mut Context<'_>, changed: Changed) -> Result<GuildChanged, Failure> {
        let Changed { guild_id, name, motd, description, is_allowed } = changed;
        let name = name.ok_or(GuildRefusal::GuildNotFound)?;
        if !is_allowed {
            return Err(C::ACTION.missing_rank().into());
        }
        cx.invalidate_guild(&name);
        let changed = GuildChanged { guild_id, motd, description };
        cx.publish(C::TOPIC, &changed);
        Ok(changed)
    }
}
