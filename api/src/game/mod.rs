//! Bodies and endpoints for game servers.

use guildhall_common::game::{CharactersUpserted, GameCharacter, UpsertCharacters};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Deserializer, de::Error};

use crate::{
    State,
    answer::Answer,
    auth::{By, Game},
    body::Body,
    call::Call,
    document::Tag,
    problem::Problem,
};

pub(crate) struct Games {
    pub state: State,
}

/// Characters as the game knows them.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameCharacters {
    /// Of a character that is named twice the last counts.
    #[serde(deserialize_with = "at_most_a_thousand")]
    #[oai(validator(max_items = 1000))]
    characters: Vec<GameCharacter>,
}

fn at_most_a_thousand<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<GameCharacter>, D::Error> {
    let characters = Vec::deserialize(from)?;
    if characters.len() <= 1000 {
        return Ok(characters);
    }
    Err(D::Error::custom("must have at most 1000 items"))
}

#[OpenApi(tag = "Tag::Game")]
impl Games {
    /// Bring characters up to date
    ///
    /// Level, vocation and presence of characters, by their names; of the new ones also the account.
    #[oai(path = "/game/characters", method = "put", operation_id = "game_upsert_characters")]
    async fn upsert(
        &self,
        caller: By<Game>,
        call: Call,
        body: Body<GameCharacters>,
    ) -> Result<Answer<CharactersUpserted>, Problem> {
        let command = UpsertCharacters { characters: body.0.characters };
        self.state.commands.send(&call, caller.0.actor, command).await
    }
}

guildhall_common::examples! {
    GameCharacters {
        "characters": [
            { "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true, "account_id": 3 }
        ]
    }
}
