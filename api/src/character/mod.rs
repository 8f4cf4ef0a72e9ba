//! The public endpoints of characters. They never name an account.

mod deaths;
mod lists;
mod view;

use guildhall_common::contract::{
    character::{CharacterName, GameVocation},
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    character::{
        deaths::{CharacterDeath, Deaths},
        lists::{CharacterSummary, Highscores, OnlineCharacters},
        view::CharacterView,
    },
    http::{
        cursor::Cursor,
        paging::Paging,
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Characters {
    pub state: State,
}

#[OpenApi(tag = "Tag::Characters")]
impl Characters {
    /// Get a character
    ///
    /// The name is not case-sensitive. The response has the guild of the character, and not its account.
    #[oai(path = "/characters/view/:name", method = "get", operation_id = "character_view")]
    async fn view(&self, name: Path<CharacterName>) -> Result<ReadResponse<CharacterView>, Problem> {
        view::character(&self.state, &name.0).await
    }

    /// List the characters by level
    ///
    /// The highest level first, then by name.
    #[oai(
        path = "/characters/highscores/:page/:limit",
        method = "get",
        operation_id = "character_highscores"
    )]
    async fn highscores(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
        /// Only the characters with this vocation, not case-sensitive.
        vocation: Query<Option<GameVocation>>,
    ) -> Result<ReadResponse<ListPage<CharacterSummary>>, Problem> {
        let paging = Paging::new(page.0, limit.0, after.0);
        self.state.lists.public_page(&Highscores { vocation: vocation.0 }, paging).await
    }

    /// List the characters that are online
    ///
    /// Sorted by name. A character is online from the report of a game server until the next report, or until the game server has not
    /// called for five minutes.
    #[oai(path = "/characters/online/:page/:limit", method = "get", operation_id = "character_online")]
    async fn online(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<CharacterSummary>>, Problem> {
        let paging = Paging::new(page.0, limit.0, after.0);
        self.state.lists.public_page(&OnlineCharacters, paging).await
    }

    /// List the deaths of characters
    ///
    /// The newest first. A game server reports them.
    #[oai(path = "/characters/deaths/:page/:limit", method = "get", operation_id = "character_deaths")]
    async fn deaths(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
        /// Only the deaths of this character, not case-sensitive.
        character: Query<Option<CharacterName>>,
    ) -> Result<ReadResponse<ListPage<CharacterDeath>>, Problem> {
        let paging = Paging::new(page.0, limit.0, after.0);
        self.state.lists.public_page(&Deaths::new(character.0), paging).await
    }
}
