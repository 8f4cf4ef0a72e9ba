//! The functions that load the data of a guild, with the permissions that they check.
//!
//! The row of the guild is locked before the rule. So no other command can change the guild, its members or its invites.

use guildhall_common::contract::{
    actor::AccountId,
    character::{CharacterId, CharacterRef},
    command::Failure,
    guild::{GuildAction, GuildId, GuildRank, GuildRefusal, guild_key, guilds_key},
};

use crate::{
    engine::context::Context,
    found_character::{self, FoundCharacter},
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

/// A guild, the highest-ranked member with which an account may act, and a character that the command names. The last two may be
/// missing.
struct Row {
    guild_name: String,
    leader_id: CharacterId,
    member_id: Option<CharacterId>,
    member_rank: Option<GuildRank>,
    member_online: Option<bool>,
    character_id: Option<CharacterId>,
    account_id: Option<AccountId>,
    name: Option<String>,
    level: Option<i32>,
    is_confirmed: Option<bool>,
    is_being_deleted: Option<bool>,
    online: Option<bool>,
    guild_id: Option<GuildId>,
    rank: Option<GuildRank>,
}

impl Row {
    fn member(&self) -> Option<Member> {
        Some(Member { character_id: self.member_id?, online: self.member_online?, rank: self.member_rank? })
    }

    fn character(self) -> Option<FoundCharacter> {
        Some(FoundCharacter {
            character_id: self.character_id?,
            account_id: self.account_id?,
            name: self.name?,
            level: self.level?,
            is_confirmed: self.is_confirmed?,
            is_being_deleted: self.is_being_deleted?,
            online: self.online?,
            guild_id: self.guild_id,
            rank: self.rank,
        })
    }
}

impl Guild {
    /// The character as a member of this guild.
    pub(super) fn member(&self, character: &FoundCharacter) -> Result<Member, GuildRefusal> {
        let FoundCharacter { character_id, online, guild_id, rank, .. } = *character;
        let rank = rank.filter(|_| guild_id == Some(self.guild_id)).ok_or(GuildRefusal::MemberNotFound)?;
        Ok(Member { character_id, online, rank })
    }
}

impl Context<'_> {
    /// Invalidates everything that shows the guild: its view, and the lists of guilds.
    pub(super) fn invalidate_guild(&mut self, name: &str) {
        self.invalidate([guild_key(name), guilds_key()]);
    }

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

    /// Finds a guild for an action. The account must have a member whose rank allows the action.
    pub(super) async fn guild_for(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
    ) -> Result<Guild, Failure> {
        let (guild, member, _) = self.find_guild(action, guild_id, None).await?;
        member.map(|_| guild).ok_or_else(|| action.missing_rank().into())
    }

    /// Finds a guild for an action, the highest-ranked member of the account, and a character of any account. The rank of the member must
    /// allow the action.
    pub(super) async fn guild_and_character_for(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
        character: &CharacterRef,
    ) -> Result<(Guild, Member, FoundCharacter), Failure> {
        let (guild, member, character) = self.find_guild(action, guild_id, Some(character)).await?;
        let member = member.ok_or_else(|| action.missing_rank())?;
        Ok((guild, member, character.ok_or(GuildRefusal::CharacterNotFound)?))
    }

    /// Finds a guild for an action, and one of its members. The member belongs to the account, or the account has a member whose
    /// rank allows the action.
    pub(super) async fn guild_and_member_for(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
        character: &CharacterRef,
    ) -> Result<(Guild, Member), Failure> {
        let (guild, allowed, character) = self.find_guild(action, guild_id, Some(character)).await?;
        let own = character.as_ref().map(|character| character.account_id) == self.actor.account_id();
        if allowed.is_none() && !own {
            return Err(action.missing_rank().into());
        }
        let member = guild.member(&character.ok_or(GuildRefusal::CharacterNotFound)?)?;
        Ok((guild, member))
    }

    /// Finds a guild, the highest-ranked member of the account whose rank allows the action, and the named character.
    async fn find_guild(
        &mut self,
        action: GuildAction,
        guild_id: GuildId,
        character: Option<&CharacterRef>,
    ) -> Result<(Guild, Option<Member>, Option<FoundCharacter>), Failure> {
        let account_id = self.account_id()?;
        let (id, name) = character.map(found_character::id_or_name).unwrap_or_default();
        let row = sqlx::query_as!(
            Row,
            r#"select guilds.name as guild_name, leader_id as "leader_id: CharacterId",
                      member.character_id as "member_id?: CharacterId", member.rank as "member_rank?: GuildRank",
                      (select online from found_characters where character_id = member.character_id) as "member_online?",
                      named.character_id as "character_id?: CharacterId", named.account_id as "account_id?: AccountId",
                      named.name as "name?", level as "level?", is_confirmed as "is_confirmed?",
                      is_being_deleted as "is_being_deleted?", named.online as "online?",
                      named.guild_id as "guild_id?: GuildId", named.guild_rank as "rank?: GuildRank"
               from guilds left join lateral (
                   select * from allowed_members(guilds.guild_id, leader_id, $2, $5) order by rank desc, character_id limit 1
               ) as member on true left join lateral (
                   select * from found_characters where character_id = $3 or name_key = $4 for key share
               ) as named on true
               where guilds.guild_id = $1"#,
            guild_id.get(),
            account_id.get(),
            id,
            name,
            action.ranks() as _,
        )
        .fetch_optional(&mut *self.db)
        .await?
        .ok_or(GuildRefusal::GuildNotFound)?;
        let guild = Guild { guild_id, name: row.guild_name.clone(), leader_id: row.leader_id };
        Ok((guild, row.member(), row.character()))
    }

    /// Finds a character, which must belong to the account.
    pub(super) async fn own_character(
        &mut self,
        character: &CharacterRef,
    ) -> Result<FoundCharacter, Failure> {
        let account_id = self.account_id()?;
        let character =
            found_character::find(self.db, character).await?.ok_or(GuildRefusal::CharacterNotFound)?;
        if character.account_id != account_id {
            return Err(GuildRefusal::NotYourCharacter.into());
        }
        Ok(character)
    }

    /// Refuses a character that the game has not confirmed, if the site demands this.
    pub(super) fn must_be_confirmed(&self, character: &FoundCharacter) -> Result<(), Failure> {
        if self.settings.guilds.confirmed_required && !character.is_confirmed {
            return Err(GuildRefusal::CharacterNotConfirmed.into());
        }
        Ok(())
    }

    /// Refuses the change for a character that is online. Some games keep the guild of an online character in memory, and
    /// write it back later.
    pub(super) fn must_be_offline(&self, online: bool) -> Result<(), Failure> {
        if online && self.settings.guilds.offline_required {
            return Err(GuildRefusal::CharacterOnline.into());
        }
        Ok(())
    }
}

/// Refuses a character whose deletion its player has requested.
pub(super) fn must_stay(character: &FoundCharacter) -> Result<(), Failure> {
    if character.is_being_deleted { Err(GuildRefusal::CharacterBeingDeleted.into()) } else { Ok(()) }
}
