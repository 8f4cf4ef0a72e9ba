//! Creates a character of an account.

use guildhall_common::contract::{
    account::{AccountRefusal, CharacterCreated, CreateCharacter},
    character::CharacterId,
    command::Failure,
};

use crate::engine::{context::Context, rule::Rule};

impl Rule for CreateCharacter {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharacterCreated, Failure> {
        let account_id = cx.account_id()?;
        if !cx.settings.characters.names.allow(&self.name) {
            return Err(AccountRefusal::CharacterNameNotAllowed.into());
        }
        // The deletion of the account waits for the lock, and finds the character.
        let existing = sqlx::query_scalar!(
            r#"select (select count(*) from characters where account_id = $1 and deleted_at is null) as "count!"
               from accounts where account_id = $1 and deleted_at is null for key share"#,
            account_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::AccountNotFound)?;
        if existing >= cx.settings.characters.per_account {
            return Err(AccountRefusal::TooManyCharacters.into());
        }
        let created = sqlx::query_as!(
            CharacterCreated,
            r#"insert into characters (account_id, name, vocation) values ($1, $2, $3)
               on conflict on constraint characters_name_unique do nothing
               returning character_id as "character_id: CharacterId", name, level, vocation"#,
            account_id.get(),
            &*self.name,
            &*self.vocation,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(AccountRefusal::CharacterNameTaken)?;
        cx.publish("character.created", &created);
        Ok(created)
    }
}
