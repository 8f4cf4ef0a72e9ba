//! The endpoints of guilds.

mod bodies;
pub(crate) mod card;
mod guilds;
mod invites;
pub(crate) mod logos;
pub(crate) mod members;
mod share;
mod stored_picture;
mod view;
mod without_guild;

use guildhall_common::contract::{
    guild::{
        AcceptInvite, CancelInvite, ChangeDescription, ChangeMotd, CreateGuild, DeclineInvite, DeleteGuild,
        GuildName, InviteCharacter,
    },
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    auth::{OptionalCaller, Player, RequireRole, SenderOf},
    guild::{
        bodies::{GuildCharacter, GuildToDelete, InviteFilter, NewDescription, NewGuild, NewMotd},
        guilds::{GuildOrder, GuildPrefix, GuildSummary},
        invites::{GuildInvite, InviteList},
        view::GuildView,
        without_guild::{CharacterPrefix, CharacterWithoutGuild, CharacterWithoutGuildList},
    },
    http::{
        character_ref::character_ref,
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::{Paging, default_limit, first_page},
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Guilds {
    pub state: State,
}

#[OpenApi(tag = "Tag::Guilds")]
impl Guilds {
    /// List all guilds
    ///
    /// Each guild has its leader and its number of members. A search is sorted by name.
    #[oai(path = "/guilds/:page/:limit", method = "get", operation_id = "guild_list")]
    async fn list(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
        /// The first characters of the name, not case-sensitive.
        search: Query<Option<GuildPrefix>>,
        /// The order of the guilds. Missing: by name.
        sort: Query<Option<GuildOrder>>,
    ) -> Result<ReadResponse<ListPage<GuildSummary>>, Problem> {
        let (order, paging) = (sort.0.unwrap_or_default(), Paging::new(page.0, limit.0, after.0));
        guilds::page(&self.state, order, search.0, paging).await
    }

    /// Get a guild with its members
    ///
    /// The name is not case-sensitive. With a token, the response also lists the actions that the caller's characters may take.
    #[oai(path = "/guild/view/:name", method = "get", operation_id = "guild_view")]
    async fn view(
        &self,
        visitor: OptionalCaller,
        name: Path<GuildName>,
    ) -> Result<ReadResponse<GuildView>, Problem> {
        match visitor.0 {
            None => view::guild(&self.state, &name.0).await,
            Some(caller) => view::guild_for(&self.state, &name.0, caller.actor.account_id()).await,
        }
    }

    /// List the characters without a guild
    ///
    /// Sorted by name. A guild can invite them.
    #[oai(path = "/guild/players-without-guild", method = "get", operation_id = "guild_players_without")]
    async fn players_without_guild(
        &self,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
        /// The first characters of the name, not case-sensitive.
        search: Query<Option<CharacterPrefix>>,
    ) -> Result<ReadResponse<ListPage<CharacterWithoutGuild>>, Problem> {
        let characters = CharacterWithoutGuildList::new(search.0);
        self.state.lists.public_page(&characters, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Create a guild
    ///
    /// Its leader is a character of the caller. The character must have the minimum level, be offline and be in no guild.
    #[oai(path = "/guild/create-guild", method = "post", operation_id = "guild_create")]
    async fn create(
        &self,
        caller: SenderOf<CreateGuild>,
        request: CommandRequest,
        body: JsonBody<NewGuild>,
    ) -> Result<CommandResponse<CreateGuild, 201>, Problem> {
        let NewGuild { name, character_id, character_name } = body.0;
        let leader = character_ref(character_id, character_name)?;
        let command = CreateGuild { name, leader };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Invite a character
    ///
    /// The leader and the vice-leaders may invite a character that is in no guild.
    #[oai(path = "/guild/invite", method = "post", operation_id = "guild_invite")]
    async fn invite(
        &self,
        caller: SenderOf<InviteCharacter>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<InviteCharacter, 201>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = InviteCharacter { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// List open invites
    ///
    /// With `guild_id`, the invites of the guild, for its leader and vice-leaders. Otherwise the invites of the caller's characters.
    /// Sorted by expiry, the next one first.
    #[oai(path = "/guild/invites", method = "post", operation_id = "guild_invites")]
    async fn invites(
        &self,
        caller: RequireRole<Player>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
        body: JsonBody<InviteFilter>,
    ) -> Result<ReadResponse<ListPage<GuildInvite>>, Problem> {
        let invites = InviteList { account_id: caller.0.account_id()?, guild_id: body.guild_id };
        invites.authorize(&self.state.database).await?;
        self.state.lists.private_page(&invites, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Accept an invite
    ///
    /// The owner of the invited character may accept. The character becomes a member.
    #[oai(path = "/guild/accept-invite", method = "post", operation_id = "guild_accept_invite")]
    async fn accept_invite(
        &self,
        caller: SenderOf<AcceptInvite>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<AcceptInvite>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = AcceptInvite { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Decline an invite
    ///
    /// The owner of the invited character may decline.
    #[oai(path = "/guild/decline-invite", method = "post", operation_id = "guild_decline_invite")]
    async fn decline_invite(
        &self,
        caller: SenderOf<DeclineInvite>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<DeclineInvite>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = DeclineInvite { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Cancel an invite
    ///
    /// The leader and the vice-leaders may cancel an invite of their guild.
    #[oai(path = "/guild/cancel-invite", method = "post", operation_id = "guild_cancel_invite")]
    async fn cancel_invite(
        &self,
        caller: SenderOf<CancelInvite>,
        request: CommandRequest,
        body: JsonBody<GuildCharacter>,
    ) -> Result<CommandResponse<CancelInvite>, Problem> {
        let (guild_id, character) = body.0.refs()?;
        let command = CancelInvite { guild_id, character };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Change the message of the day
    ///
    /// The leader and the vice-leaders may change it.
    #[oai(path = "/guild/change-motd", method = "post", operation_id = "guild_change_motd")]
    async fn change_motd(
        &self,
        caller: SenderOf<ChangeMotd>,
        request: CommandRequest,
        body: JsonBody<NewMotd>,
    ) -> Result<CommandResponse<ChangeMotd>, Problem> {
        let command = ChangeMotd { guild_id: body.guild_id, motd: body.0.motd };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Change the description
    ///
    /// The leader and the vice-leaders may change it.
    #[oai(path = "/guild/change-description", method = "post", operation_id = "guild_change_description")]
    async fn change_description(
        &self,
        caller: SenderOf<ChangeDescription>,
        request: CommandRequest,
        body: JsonBody<NewDescription>,
    ) -> Result<CommandResponse<ChangeDescription>, Problem> {
        let command = ChangeDescription { guild_id: body.guild_id, description: body.0.description };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Delete a guild
    ///
    /// The leader may delete the guild. Its members and invites are removed. No member may be online, unless the site allows it.
    #[oai(path = "/guild/delete", method = "post", operation_id = "guild_delete")]
    async fn delete(
        &self,
        caller: SenderOf<DeleteGuild>,
        request: CommandRequest,
        body: JsonBody<GuildToDelete>,
    ) -> Result<CommandResponse<DeleteGuild>, Problem> {
        let command = DeleteGuild { guild_id: body.guild_id };
        self.state.commands.send(&request, &caller, command).await
    }
}
