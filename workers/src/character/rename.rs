//! Renames a character of an account.

use guildhall_common::contract::{
    account::{AccountRefusal, CharacterRenamed, RenameCharacter},
    actor::AccountId,
    coins::CoinTransferKind,
    command::{Failure, OnConstraint},
    guild::{guild_key, guilds_key},
};
use serde_json::json;

use crate::{
    character::{deletion, own_character},
    coins::ledger::{self, BALANCE_CONSTRAINT, Transfer},
    engine::{audit::Entry, context::Context, rule::Rule},
    game,
};

impl Rule for RenameCharacter {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CharacterRenamed, Failure> {
        let character = own_character::find_changeable(cx, &self.character).await?;
        // The game delivers to the name. With another one, it would give the items to another character. A parked delivery can be
        // sent again.
        deletion::lock_against_new_rows(cx, character.character_id).await?;
        if game::has_undelivered(cx, character.character_id).await? {
            return Err(AccountRefusal::DeliveriesPending.into());
        }
        if !cx.settings.characters.names.allow(&self.new_name) {
            return Err(AccountRefusal::CharacterNameNotAllowed.into());
        }
        if character.name == *self.new_name {
            return Err(AccountRefusal::CharacterNameUnchanged.into());
        }
        // The former name that the list of characters shows is that of a character whose name the game has changed. The constraint is
        // only violated by two new names at the same time.
        let guild_name = sqlx::query_scalar!(
            r#"update characters set name = $2, former_name = null
               where character_id = $1
                 and not exists (select from characters as other where other.name_key = lower($2) and other.character_id <> $1)
               returning (select guilds.name from guild_members join guilds using (guild_id)
                          where guild_members.character_id = characters.character_id)"#,
            character.character_id.get(),
            &*self.new_name,
        )
        .fetch_optional(&mut *cx.db)
        .await
        .on_constraint("characters_name_unique", AccountRefusal::CharacterNameTaken)?
        .ok_or(AccountRefusal::CharacterNameTaken)?;
        let coins = cx.settings.characters.rename_cost;
        pay(cx, character.account_id, coins).await?;
        // The list of guilds shows the names of the leaders.
        cx.invalidate(guild_name.iter().flat_map(|guild| [guild_key(guild), guilds_key()]));
        let renamed = CharacterRenamed {
            character_id: character.character_id,
            former_name: character.name,
            name: self.new_name.to_string(),
            coins,
        };
        let details = json!({
            "character_id": renamed.character_id, "account_id": character.account_id, "coins": coins
        });
        let mut entry = Entry::new("character.rename", details);
        entry.add("name", Some(json!(renamed.former_name)), Some(json!(renamed.name)));
        cx.audit(entry).await?;
        cx.publish("character.renamed", &renamed);
        Ok(renamed)
    }
}

async fn pay(cx: &mut Context<'_>, account_id: AccountId, coins: i64) -> Result<(), Failure> {
    if coins == 0 {
        return Ok(());
    }
    let transfer = Transfer {
        kind: CoinTransferKind::Rename,
        account_id,
        coins: -coins,
        payment_id: None,
        operation_id: Some(cx.operation_id),
        reason: None,
    };
    ledger::post(cx.db, &transfer).await.on_constraint(BALANCE_CONSTRAINT, AccountRefusal::NotEnoughCoins)?;
    Ok(())
}
