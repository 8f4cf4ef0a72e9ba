//! The endpoints about the members of guilds.

use guildhall_common::contract::{
    character::{CharacterId, CharacterName},
    guild::{AssignableRank, ChangeRank, GuildId, KickMember, LeaveGuild, Nick, PassLeadership, SetNick},
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::SenderOf,
    guild::bodies::GuildCharacter,
    http::{
        character_ref::character_ref, command_request::CommandRequest, command_response::CommandResponse,
        json::JsonBody, problem::Problem,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct GuildMembers {
    pub state: State,
}

/// The new rank of a member: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewRank {
    pub guild_id: GuildId,
    pub character_id: Option<CharacterId>,
    pub character_name: Option<CharacterName>,
    pub rank: AssignableRank,
}

/// The new nick of a member: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewNick {
    pub guild_id: GuildId,
    pub character_id: Option<CharacterId>,
    pub character_name: Option<CharacterName>,
    /// An empty nick removes it.
    pub nick: Nick,
}

#[OpenApi(tag = "Tag::Guilds")]
impl GuildMembers {
    /// Leave a guild
    ///
    /// The owner of a character may leave with it. The leader cannot leave.
    #[oai(path = "/guild/leave", method = "post", operation_id = "guild_leave")]
    async fn leave(
        &self,
        caller: SenderOf<LeaveGuild>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<LeaveGuild>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = LeaveGuild { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Kick a member
    ///
    /// The leader may kick anyone else. A vice-leader may kick members.
    #[oai(path = "/guild/kick", method = "post", operation_id = "guild_kick")]
    async fn kick(
        &self,
        caller: SenderOf<KickMember>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<KickMember>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = KickMember { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Pass on the leadership
    ///
    /// The leader may make another member the leader. The former leader becomes a vice-leader.
    #[oai(path = "/guild/pass-leadership", method = "post", operation_id = "guild_pass_leadership")]
    async fn pass_leadership(
        &self,
        caller: SenderOf<PassLeadership>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<PassLeadership>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = PassLeadership { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Change the rank of a member
    ///
    /// The leader may change the rank of another member.
    #[oai(path = "/guild/change-rank", method = "post", operation_id = "guild_change_rank")]
    async fn change_rank(
        &self,
        caller: SenderOf<ChangeRank>,
        request: CommandRequest,
        body: JsonBody<NewRank>,
    ) -> Result<CommandResponse<ChangeRank>, Problem> {
        let NewRank { guild_id, character_id, character_name, rank } = body.0;
        let character = character_ref(character_id, character_name)?;
        let command = ChangeRank { guild_id, character, rank };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Set the nick of a member
    ///
    /// The owner of a character sets its nick in its guild, and the leader and the vice-leaders set that of every member.
    #[oai(path = "/guild/set-nick", method = "post", operation_id = "guild_set_nick")]
    async fn set_nick(
        &self,
        caller: SenderOf<SetNick>,
        request: CommandRequest,
        body: JsonBody<NewNick>,
    ) -> Result<CommandResponse<SetNick>, Problem> {
        let NewNick { guild_id, character_id, character_name, nick } = body.0;
        let character = character_ref(character_id, character_name)?;
        self.state.commands.send(&request, &caller, SetNick { guild_id, character, nick }).await
    }
}

guildhall_common::examples! {
    NewRank { "guild_id": 1, "character_name": "Tom Ashwood", "rank": "vice_leader" }
    NewNick { "guild_id": 1, "character_name": "Tom Ashwood", "nick": "The Wall" }
}
