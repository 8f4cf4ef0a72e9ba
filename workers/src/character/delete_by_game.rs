//! Deletes characters that the game has deleted.

use guildhall_common::contract::{
    character::CharacterId,
    command::Failure,
    game::{DeleteGameCharacters, GameCharacterId, GameCharactersDeleted},
};

use crate::{
    character::deletion,
    engine::{context::Context, rule::Rule},
    game,
};

impl Rule for DeleteGameCharacters {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<GameCharactersDeleted, Failure> {
        game::renew_presence(cx).await?;
        let ids: Vec<String> = self.game_character_ids.iter().map(|id| (**id).to_owned()).collect();
        // In the lock order: guilds before characters.
        let found = sqlx::query!(
            r#"select character_id as "character_id: CharacterId", game_character_id as "game_character_id!"
               from characters left join guild_members using (character_id)
               where game_character_id = any($1) order by guild_id, character_id"#,
            &ids,
        )
        .fetch_all(&mut *cx.db)
        .await?;
        for character in &found {
            deletion::delete(cx, character.character_id).await?;
        }
        let is_found = |id: &GameCharacterId| found.iter().any(|row| *row.game_character_id == **id);
        let (deleted, unknown) = self.game_character_ids.iter().cloned().partition(is_found);
        Ok(GameCharactersDeleted { deleted, unknown })
    }
}
