//! Game servers: the match on the command.

mod upsert_characters;

use guildhall_common::{command::Failure, game::GameCommand};
use serde_json::value::RawValue;

use crate::rule::{Context, Rules};

impl Rules for GameCommand {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<Box<RawValue>, Failure> {
        match self {
            Self::UpsertCharacters(command) => cx.run(command).await,
        }
    }
}
