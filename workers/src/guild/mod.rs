//! Guilds: the match on the command, and the loads that its rules share. Each
//! load's name says which right it demands. A guild's row is locked first, then
//! nothing else of it needs to be.

mod accept_invite;
mod change_description;
mod change_motd;
mod change_rank;
mod create;
mod delete;
mod invite;
mod kick;
mod leave;
mod pass_leadership;
mod withdraw_invite;

use guildhall_common::contract::{
    character::CharacterRef,
    command::Failure,
    guild::{GuildCommand, GuildId, GuildRank, GuildRefusal, free_characters_key, guild_key, guilds_key},
};

use crate::engine::rule::{Applied, Context, Rules};

impl Rules for GuildCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Applied, Failure> {
        match self {
            Self::CreateGuild(command) => cx.run(command).await,
            Self::InviteCharacter(command) => cx.run(command).await,
            Self::AcceptInvite(command) => cx.run(command).await,
            Self::DeclineInvite(command) => cx.run(command).await,
            Self::CancelInvite(command) => cx.run(command).await,
            Self::LeaveGuild(command) => cx.run(command).await,
            Self::KickMember(command) => cx.run(command).await,
            Self::PassLeadership(command) => cx.run(command).await,
            Self::ChangeRank(command) => cx.run(command).await,
            Self::ChangeMotd(command) => cx.run(command).await,
            Self::ChangeDescription(command) => cx.run(command).await,
            Self::DeleteGuild(command) => cx.run(command).await,
        }
    }
}

struct Character {
    character_id: i64,
    account_id: i64,
    level: i32,
    online: bool,
}

struct Guild {
    guild_id: i64,
    name: String,
    leader_id: i64,
}

struct Member {
    character_id: i64,
    online: bool,
    rank: GuildRank,
}

impl Guild {
    fn rank(&self, character_id: i64, stored: i16) -> GuildRank {
        match stored {
            _ if character_id == self.leader_id => GuildRank::Leader,
            2 => GuildRank::ViceLeader,
            _ => GuildRank::Member,
        }
    }
}

impl Context<'_> {
    async fn character(&mut self, character: &CharacterRef) -> Result<Character, Failure> {
        let (id, name) = match character {
            CharacterRef::Id(id) => (Some(id.get()), None),
            CharacterRef::Name(name) => (None, Some(name.key())),
        };
        sqlx::query_as!(
            Character,
            "select character_id, account_id, level, online from characters
             where character_id = $1 or name_key = $2",
            id,
            name,
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or_else(|| GuildRefusal::CharacterNotFound.into())
    }

    /// Locks the character until its membership has changed, so that what the game tells of it
    /// meanwhile is seen to concern its guild. After the guild's row, where there is one.
    async fn lock_character(&mut self, character_id: i64) -> Result<Character, Failure> {
        let locked = sqlx::query_as!(
            Character,
            "select character_id, account_id, level, online from characters
             where character_id = $1 for no key update",
            character_id,
        );
        Ok(locked.fetch_one(&mut *self.db).await?)
    }

    async fn own_character(&mut self, character: &CharacterRef) -> Result<Character, Failure> {
        let account_id = self.account_id()?;
        let character = self.character(character).await?;
        if character.account_id != account_id {
            return Err(GuildRefusal::NotYourCharacter.into());
        }
        Ok(character)
    }

    async fn guild(&mut self, guild_id: GuildId) -> Result<Guild, Failure> {
        sqlx::query_as!(
            Guild,
            "select guild_id, name, leader_id from guilds where guild_id = $1 for update",
            guild_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or_else(|| GuildRefusal::GuildNotFound.into())
    }

    /// The guild, if the actor has its leader.
    async fn guild_as_leader(&mut self, guild_id: GuildId) -> Result<Guild, Failure> {
        let (guild, actor) = self.guild_and_highest(guild_id).await?;
        actor.filter(|actor| actor.rank == GuildRank::Leader).ok_or(GuildRefusal::NotLeader)?;
        Ok(guild)
    }

    /// The guild and the highest in it that the actor has, if leader or vice-leader.
    async fn guild_as_leading(&mut self, guild_id: GuildId) -> Result<(Guild, Member), Failure> {
        let (guild, actor) = self.guild_and_highest(guild_id).await?;
        let actor =
            actor.filter(|actor| actor.rank >= GuildRank::ViceLeader).ok_or(GuildRefusal::NotLeading)?;
        Ok((guild, actor))
    }

    async fn guild_and_highest(&mut self, guild_id: GuildId) -> Result<(Guild, Option<Member>), Failure> {
        let account_id = self.account_id()?;
        let guild = self.guild(guild_id).await?;
        let highest = sqlx::query!(
            "select character_id, online, rank from guild_members join characters using (character_id)
             where guild_id = $1 and account_id = $2
             order by character_id = $3 desc, rank desc, character_id limit 1",
            guild.guild_id,
            account_id,
            guild.leader_id,
        )
        .fetch_optional(&mut *self.db)
        .await?;
        let highest = highest.map(|row| Member {
            character_id: row.character_id,
            online: row.online,
            rank: guild.rank(row.character_id, row.rank),
        });
        Ok((guild, highest))
    }

    async fn member(&mut self, guild: &Guild, character: &CharacterRef) -> Result<Member, Failure> {
        let Character { character_id, online, .. } = self.character(character).await?;
        let stored = sqlx::query_scalar!(
            "select rank from guild_members where guild_id = $1 and character_id = $2",
            guild.guild_id,
            character_id,
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or(GuildRefusal::MemberNotFound)?;
        Ok(Member { character_id, online, rank: guild.rank(character_id, stored) })
    }

    /// Some games keep a character's guild in memory while it plays and write it back later.
    fn must_be_offline(&self, online: bool) -> Result<(), Failure> {
        if online && self.settings.guild_offline_required {
            return Err(GuildRefusal::CharacterOnline.into());
        }
        Ok(())
    }

    /// Who is in which guild has changed.
    fn membership_changed(&mut self, guild_name: &str) {
        self.stale([guild_key(guild_name), guilds_key(), free_characters_key()]);
    }
}
