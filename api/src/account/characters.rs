//! The endpoints that rename and delete characters, and the bodies of their requests.

use guildhall_common::contract::{
    account::{CancelCharacterDeletion, DeleteCharacter, RenameCharacter},
    character::{CharacterId, CharacterName},
    command::Command,
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::SenderOf,
    http::{
        character_ref::character_ref, command_request::CommandRequest, command_response::CommandResponse,
        json::JsonBody, problem::Problem,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct CharacterChanges {
    pub state: State,
}

/// The new name of a character: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCharacterName {
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
    new_name: CharacterName,
}

/// A character to delete or to keep: `character_id` or `character_name`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CharacterToDelete {
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
}

#[OpenApi(tag = "Tag::Accounts")]
impl CharacterChanges {
    /// Rename a character
    ///
    /// The site may charge coins (`GUILDHALL_RENAME_COST`). A character that the game has confirmed is renamed in the game.
    #[oai(path = "/accounts/characters/rename", method = "post", operation_id = "account_rename_character")]
    async fn rename(
        &self,
        caller: SenderOf<RenameCharacter>,
        request: CommandRequest,
        body: JsonBody<NewCharacterName>,
    ) -> Result<CommandResponse<RenameCharacter>, Problem> {
        let NewCharacterName { character_id, character_name, new_name } = body.0;
        let character = character_ref(character_id, character_name)?;
        self.change(&request, &caller, RenameCharacter { character, new_name }).await
    }

    /// Delete a character
    ///
    /// The character is deleted at `deletion_due_at`, seven days later. Until then it keeps its
    /// guild, and the deletion can be cancelled. Its invites are removed. It cannot join a guild, lead one or receive purchases. Then
    /// it leaves its guild, and others can use its name. A character that the game has confirmed is deleted in the game.
    #[oai(path = "/accounts/characters/delete", method = "post", operation_id = "account_delete_character")]
    async fn delete(
        &self,
        caller: SenderOf<DeleteCharacter>,
        request: CommandRequest,
        body: JsonBody<CharacterToDelete>,
    ) -> Result<CommandResponse<DeleteCharacter>, Problem> {
        let character = character_ref(body.0.character_id, body.0.character_name)?;
        self.change(&request, &caller, DeleteCharacter { character }).await
    }

    /// Cancel the deletion of a character
    ///
    /// It is possible until the character is deleted. The removed invites do not return.
    #[oai(
        path = "/accounts/characters/cancel-deletion",
        method = "post",
        operation_id = "account_cancel_character_deletion"
    )]
    async fn cancel_deletion(
        &self,
        caller: SenderOf<CancelCharacterDeletion>,
        request: CommandRequest,
        body: JsonBody<CharacterToDelete>,
    ) -> Result<CommandResponse<CancelCharacterDeletion>, Problem> {
        let character = character_ref(body.0.character_id, body.0.character_name)?;
        self.change(&request, &caller, CancelCharacterDeletion { character }).await
    }
}

impl CharacterChanges {
    async fn change<C: Command>(
        &self,
        request: &CommandRequest,
        caller: &SenderOf<C>,
        command: C,
    ) -> Result<CommandResponse<C>, Problem> {
        self.state.rate_limits.try_character_change(caller.0.account_id()?)?;
        self.state.commands.send(request, caller, command).await
    }
}

guildhall_common::examples! {
    NewCharacterName { "character_id": 7, "new_name": "Mira Ashwood" }
    CharacterToDelete { "character_id": 7 }
}
