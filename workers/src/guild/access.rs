//! The functions that load the data of a guild, with the permissions that they check.
//!
//! The row of the guild is locked before the rule. So no other command can change the guild, its members or its invites.

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

    /// The character as a member of this guild, if it is one.
    pub(super) fn member(&self, character: &FoundCharacter) -> Option<Member> {
        let FoundCharacter { character_id, online, guild_id, rank, .. } = *character;
        let rank = rank.filter(|_| guild_id == Some(self.guild_id))?;
        Some(Member { character_id, online, rank: self.rank(character_id, rank) })
    }
}

impl Context<'_> {
    /// Finds a guild. It checks no permission.
    pub(super) async fn guild(&mut self, guild_id: GuildId) -> Result<Guild, Failure> {
        sqlx::query_as!(
            Guild,
            r#"select guild_id as "guild_id: GuildId", name, leader_id as "leader_id: CharacterId"
               from guilds where guild_id = $1"#,
            guild_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or_else(|| GuildRefusal::GuildNotFound.into())
    }

    /// Finds a guild for an action. The account must have a member whose rank allows the action. It returns the member
    /// with the highest rank.
    pub(super) async fn guild_for(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
    ) -> Result<(Guild, Member), Failure> {
        let account_id = self.account_id()?;
        let row = sqlx::query!(
            r#"select guilds.name, leader_id as "leader_id: CharacterId",
                      character_id as "character_id?: CharacterId", rank as "rank?: AssignableRank", online as "online?"
               from guilds left join lateral (
                   select character_id, rank,
                          exists (select from game_servers where service_token_id = online_by and presence_until > now())
                              as online
                   from guild_members join characters using (character_id)
                   where guild_members.guild_id = guilds.guild_id and account_id = $2 and deleted_at is null
                   order by character_id = leader_id desc, rank desc, character_id limit 1
               ) as highest on true
               where guild_id = $1"#,
            guild_id.get(),
            account_id.get(),
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or(GuildRefusal::GuildNotFound)?;
        let guild = Guild { guild_id, name: row.name, leader_id: row.leader_id };
        let member = row.character_id.zip(row.rank).map(|(character_id, stored)| Member {
            character_id,
            online: row.online.unwrap_or_default(),
            rank: guild.rank(character_id, stored),
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
        let character = self.character(character).await?;
        guild.member(&character).ok_or_else(|| GuildRefusal::MemberNotFound.into())
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

/// Refuses a character whose deletion its player has requested.
pub(super) fn must_stay(character: &FoundCharacter) -> Result<(), Failure> {
    if character.is_being_deleted { Err(GuildRefusal::CharacterBeingDeleted.into()) } else { Ok(()) }
}

/// The refusal of an account whose members may not do it.
pub(super) fn missing_rank(action: GuildAction) -> GuildRefusal {
    match action.minimum_rank() {
        Some(GuildRank::Leader) => GuildRefusal::NotLeader,
        _ => GuildRefusal::NotLeading,
    }
}
