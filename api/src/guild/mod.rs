//! Bodies and endpoints of guilds.

mod invites;
mod read;
mod view;

use guildhall_common::contract::{
    character::{CharacterId, CharacterName, CharacterRef},
    guild::{
        AcceptInvite, AssignableRank, CancelInvite, ChangeDescription, ChangeMotd, ChangeRank,
        CharacterInvited, CreateGuild, DeclineInvite, DeleteGuild, GuildChanged, GuildCreated, GuildDeleted,
        GuildDescription, GuildId, GuildName, InviteCharacter, InviteRemoved, KickMember, LeadershipPassed,
        LeaveGuild, MemberJoined, MemberRemoved, Motd, PassLeadership, RankChanged,
    },
    values::{Limit, Page},
};
use poem_openapi::{Object, OpenApi, param::Path, param::Query};
use serde::Deserialize;

use crate::{
    auth::{OptionalCaller, Player, RequireRole},
    guild::{
        invites::GuildInvite,
        read::{CharacterPrefix, FreeCharacter, GuildSummary},
        view::GuildView,
    },
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::JsonBody,
        problem::{FieldError, Problem},
        read_response::{ListPage, ReadResponse, default_limit, first_page},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Guilds {
    pub state: State,
}

/// A new guild and the character who founds it: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewGuild {
    name: GuildName,
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
}

/// A character and a guild: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GuildCharacter {
    guild_id: GuildId,
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
}

/// A member's new rank: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewRank {
    guild_id: GuildId,
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
    rank: AssignableRank,
}

/// Whose invites to list.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct InvitesOf {
    /// The guild's, for who leads it; without it: those to the caller's own characters.
    guild_id: Option<GuildId>,
}

/// A guild's new message of the day.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewMotd {
    guild_id: GuildId,
    motd: Motd,
}

/// A guild's new description.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewDescription {
    guild_id: GuildId,
    description: GuildDescription,
}

/// The guild to delete.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GuildToDelete {
    guild_id: GuildId,
}

/// Bodies name a character by one of two fields.
pub(crate) fn character(
    id: Option<CharacterId>,
    name: Option<&CharacterName>,
) -> Result<CharacterRef, Problem> {
    match (id, name) {
        (Some(id), None) => Ok(CharacterRef::Id(id)),
        (None, Some(name)) => Ok(CharacterRef::Name(name.clone())),
        (None, None) | (Some(_), Some(_)) => {
            let detail = "give one of character_id and character_name";
            let mut problem = Problem::invalid("/character_id", detail);
            problem
                .errors
                .push(FieldError { pointer: "/character_name".to_owned(), detail: detail.to_owned() });
            Err(problem)
        }
    }
}

impl GuildCharacter {
    fn character(&self) -> Result<CharacterRef, Problem> {
        character(self.character_id, self.character_name.as_ref())
    }
}

#[OpenApi(tag = "Tag::Guilds")]
impl Guilds {
    /// List the guilds by name
    ///
    /// With the leader and the number of members of each.
    #[oai(path = "/guilds/:page/:limit", method = "get", operation_id = "guild_list")]
    async fn list(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
    ) -> Result<ReadResponse<ListPage<GuildSummary>>, Problem> {
        read::guilds(&self.state, page.0, limit.0).await
    }

    /// View a guild with its members
    ///
    /// The name is matched without regard to case. Who is signed in learns what their characters may do here.
    #[oai(path = "/guild/view/:name", method = "get", operation_id = "guild_view")]
    async fn view(
        &self,
        visitor: OptionalCaller,
        name: Path<GuildName>,
    ) -> Result<ReadResponse<GuildView>, Problem> {
        match visitor.0 {
            None => view::guild(&self.state, &name.0).await,
            Some(caller) => view::guild_for(&self.state, &name.0, caller.account_id()).await,
        }
    }

    /// List the characters without a guild by name
    ///
    /// Whom a guild may invite.
    #[oai(path = "/guild/players-without-guild", method = "get", operation_id = "guild_players_without")]
    async fn players_without_guild(
        &self,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        /// How the names begin, without regard to case.
        search: Query<Option<CharacterPrefix>>,
    ) -> Result<ReadResponse<ListPage<FreeCharacter>>, Problem> {
        read::characters_without_guild(&self.state, page.0, limit.0, search.0).await
    }

    /// ReadResponse a guild
    ///
    /// With a character of the caller's own, of the minimum level, offline, in no guild.
    #[oai(path = "/guild/create-guild", method = "post", operation_id = "guild_create")]
    async fn create(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewGuild>,
    ) -> Result<CommandResponse<GuildCreated, 201>, Problem> {
        let leader = character(body.character_id, body.character_name.as_ref())?;
        let command = CreateGuild { name: body.0.name, leader };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Invite a character
    ///
    /// RequireRole the leader and the vice-leaders, of a character without a guild.
    #[oai(path = "/guild/invite", method = "post", operation_id = "guild_invite")]
    async fn invite(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<CharacterInvited, 201>, Problem> {
        let command = InviteCharacter { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// List invites
    ///
    /// Of a guild, for its leader and vice-leaders; or else to the caller's own characters.
    #[oai(path = "/guild/invites", method = "post", operation_id = "guild_invites")]
    async fn invites(
        &self,
        caller: RequireRole<Player>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        body: JsonBody<InvitesOf>,
    ) -> Result<ReadResponse<ListPage<GuildInvite>>, Problem> {
        invites::invites(&self.state, caller.0.account_id(), body.guild_id, page.0, limit.0).await
    }

    /// Accept an invite
    ///
    /// RequireRole the owner of the invited character, who becomes a member.
    #[oai(path = "/guild/accept-invite", method = "post", operation_id = "guild_accept_invite")]
    async fn accept_invite(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<MemberJoined>, Problem> {
        let command = AcceptInvite { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Decline an invite
    ///
    /// RequireRole the owner of the invited character.
    #[oai(path = "/guild/decline-invite", method = "post", operation_id = "guild_decline_invite")]
    async fn decline_invite(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<InviteRemoved>, Problem> {
        let command = DeclineInvite { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Cancel an invite
    ///
    /// RequireRole the leader and the vice-leaders.
    #[oai(path = "/guild/cancel-invite", method = "post", operation_id = "guild_cancel_invite")]
    async fn cancel_invite(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<InviteRemoved>, Problem> {
        let command = CancelInvite { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Leave a guild
    ///
    /// With a character of the caller's own. The leader cannot leave.
    #[oai(path = "/guild/leave", method = "post", operation_id = "guild_leave")]
    async fn leave(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<MemberRemoved>, Problem> {
        let command = LeaveGuild { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Kick a member
    ///
    /// The leader anyone else, vice-leaders members.
    #[oai(path = "/guild/kick", method = "post", operation_id = "guild_kick")]
    async fn kick(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<MemberRemoved>, Problem> {
        let command = KickMember { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Pass the leadership on
    ///
    /// RequireRole the leader, to another member; the former leader becomes a vice-leader.
    #[oai(path = "/guild/pass-leadership", method = "post", operation_id = "guild_pass_leadership")]
    async fn pass_leadership(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<LeadershipPassed>, Problem> {
        let command = PassLeadership { guild_id: body.guild_id, character: body.character()? };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Change the message of the day
    ///
    /// RequireRole the leader and the vice-leaders.
    #[oai(path = "/guild/change-motd", method = "post", operation_id = "guild_change_motd")]
    async fn change_motd(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewMotd>,
    ) -> Result<CommandResponse<GuildChanged>, Problem> {
        let command = ChangeMotd { guild_id: body.guild_id, motd: body.0.motd };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Change a member's rank
    ///
    /// RequireRole the leader, of another member.
    #[oai(path = "/guild/change-rank", method = "post", operation_id = "guild_change_rank")]
    async fn change_rank(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewRank>,
    ) -> Result<CommandResponse<RankChanged>, Problem> {
        let character = character(body.character_id, body.character_name.as_ref())?;
        let command = ChangeRank { guild_id: body.guild_id, character, rank: body.rank };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Change the description
    ///
    /// RequireRole the leader and the vice-leaders.
    #[oai(path = "/guild/change-description", method = "post", operation_id = "guild_change_description")]
    async fn change_description(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewDescription>,
    ) -> Result<CommandResponse<GuildChanged>, Problem> {
        let command = ChangeDescription { guild_id: body.guild_id, description: body.0.description };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Delete a guild
    ///
    /// RequireRole the leader. Members and invites go with it.
    #[oai(path = "/guild/delete", method = "post", operation_id = "guild_delete")]
    async fn delete(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<GuildToDelete>,
    ) -> Result<CommandResponse<GuildDeleted>, Problem> {
        let command = DeleteGuild { guild_id: body.guild_id };
        self.state.commands.send(&call, caller.0.actor, command).await
    }
}

guildhall_common::examples! {
    NewGuild { "name": "Night Watch", "character_name": "Mira Stormborn" }
    GuildCharacter { "guild_id": 1, "character_name": "Tom Ashwood" }
    NewRank { "guild_id": 1, "character_name": "Tom Ashwood", "rank": "vice_leader" }
    InvitesOf { "guild_id": 1 }
    NewMotd { "guild_id": 1, "motd": "Meeting on Sunday at eight." }
    NewDescription { "guild_id": 1, "description": "We guard the northern wall." }
    GuildToDelete { "guild_id": 1 }
}
