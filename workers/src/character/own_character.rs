//! Finds the characters that players rename and delete.

use guildhall_common::contract::{account::AccountRefusal, character::CharacterRef, command::Failure};

use crate::{
    engine::context::Context,
    found_character::{self, FoundCharacter},
};

/// Finds a character that the account renames or deletes. It must belong to the account.
pub(super) async fn find_own(
    cx: &mut Context<'_>,
    character: &CharacterRef,
) -> Result<FoundCharacter, Failure> {
    let account_id = cx.account_id()?;
    let found = found_character::find(cx.db, character).await?.ok_or(AccountRefusal::CharacterNotFound)?;
    if found.account_id == account_id { Ok(found) } else { Err(AccountRefusal::NotYourCharacter.into()) }
}

/// Finds a character that the account may change: it belongs to the account and not to the game, and it will not be deleted.
pub(super) async fn find_changeable(
    cx: &mut Context<'_>,
    character: &CharacterRef,
) -> Result<FoundCharacter, Failure> {
    let found = find_own(cx, character).await?;
    if found.is_confirmed {
        return Err(AccountRefusal::CharacterBelongsToGame.into());
    }
    if found.is_being_deleted {
        return Err(AccountRefusal::CharacterBeingDeleted.into());
    }
    Ok(found)
}
