//! The functions that load and lock the data of a guild, with the permissions that they check.
//!
//! A rule locks the row of the guild first. Then no other command can change the guild, its members or its invites.

use guildhall_common::contract::{
    character::{CharacterId, CharacterRef},
    command::Failure,
    guild::{AssignableRank, GuildAction, GuildId, GuildRank, GuildRefusal},
};

use crate::{
    character::find::{self, FoundCharacter},
    engine::rule::Context,
};

pub(super) struct Guild {
    pub(super) guild_id: GuildId,
    pub(super) name: String,
    pub(super) leader_id: CharacterId,
}

pub(super) struct Member {
    pub(super) character_id: CharacterId,
    pub(super) online: bool,
    pub(super) rank: GuildRank,
}

impl Guild {
    fn rank(&self, character_id: CharacterId, stored: AssignableRank) -> GuildRank {
        GuildRank::of_member(stored, character_id == self.leader_id)
    }
}

impl Context<'_> {
    /// Locks a guild. It checks no permission.
    pub(super) async fn guild(&mut self, guild_id: GuildId) -> Result<Guild, Failure> {
        sqlx::query_as!(
            Guild,
            r#"select guild_id as "guild_id: GuildId", name, leader_id as "leader_id: CharacterId"
               from guilds where guild_id = $1 for update"#,
            guild_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or_else(|| GuildRefusal::GuildNotFound.into())
    }

    /// Locks a guild for an action. The account must have a member whose rank allows the action. It returns the member
    /// with the highest rank.
    pub(super) async fn guild_for(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
    ) -> Result<(Guild, Member), Failure> {
        let account_id = self.account_id()?;
        let guild = self.guild(guild_id).await?;
        let highest = sqlx::query!(
            r#"select character_id as "character_id: CharacterId", rank as "rank: AssignableRank",
                      exists (select from game_servers where service_token_id = online_by and presence_until > now())
                          as "online!"
               from guild_members join characters using (character_id)
               where guild_id = $1 and account_id = $2
               order by character_id = $3 desc, rank desc, character_id limit 1"#,
            guild.guild_id.get(),
            account_id.get(),
            guild.leader_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?;
        let member = highest.map(|row| Member {
            character_id: row.character_id,
            online: row.online,
            rank: guild.rank(row.character_id, row.rank),
        });
        let allowed = member.filter(|member| action.is_allowed(member.rank));
        Ok((guild, allowed.ok_or_else(|| missing_rank(action))?))
    }

    /// Finds a character of any account.
    pub(super) async fn character(&mut self, character: &CharacterRef) -> Result<FoundCharacter, Failure> {
        find::find(self.db, character).await?.ok_or_else(|| GuildRefusal::CharacterNotFound.into())
    }

    /// Finds a character, which must belong to the account.
    pub(super) async fn own_character(
        &mut self,
        character: &CharacterRef,
    ) -> Result<FoundCharacter, Failure> {
        let account_id = self.account_id()?;
        let character = self.character(character).await?;
        if character.account_id != account_id {
            return Err(GuildRefusal::NotYourCharacter.into());
        }
        Ok(character)
    }

    /// Finds a member of the guild, of any account.
    pub(super) async fn member(
        &mut self,
        guild: &Guild,
        character: &CharacterRef,
    ) -> Result<Member, Failure> {
        let FoundCharacter { character_id, online, .. } = self.character(character).await?;
        let stored = sqlx::query_scalar!(
            r#"select rank as "rank: AssignableRank" from guild_members where guild_id = $1 and character_id = $2"#,
            guild.guild_id.get(),
            character_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or(GuildRefusal::MemberNotFound)?;
        Ok(Member { character_id, online, rank: guild.rank(character_id, stored) })
    }

    /// Refuses a character that the game has not confirmed, if the site demands this.
    pub(super) fn must_be_confirmed(&self, character: &FoundCharacter) -> Result<(), Failure> {
        if self.settings.guild_confirmed_required && !character.is_confirmed {
            return Err(GuildRefusal::CharacterNotConfirmed.into());
        }
        Ok(())
    }

    /// Refuses the change for a character that is online. Some games keep the guild of an online character in memory, and
    /// write it back later.
    pub(super) fn must_be_offline(&self, online: bool) -> Result<(), Failure> {
        if online && self.settings.guild_offline_required {
            return Err(GuildRefusal::CharacterOnline.into());
        }
        Ok(())
    }
}

fn missing_rank(action: GuildAction) -> GuildRefusal {
    match action.minimum_rank() {
        Some(GuildRank::Leader) => GuildRefusal::NotLeader,
        _ => GuildRefusal::NotLeading,
    }
}
