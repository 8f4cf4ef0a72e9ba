//! The endpoints by which a game follows the site.

use guildhall_common::contract::{
    game::{ChangeId, FollowChanges, LeaseWait},
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    auth::{Game, RequireRole, SenderOf},
    game::{
        changes::{self, ChangeLimit, GameChanges},
        long_poll::no_wait,
        snapshot::Snapshot,
        states::GameState,
    },
    http::{
        command_request::CommandRequest,
        cursor::Cursor,
        paging::{Paging, first_page},
        parameters::Query,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct GameFeed {
    pub state: State,
}

fn default_change_limit() -> ChangeLimit {
    ChangeLimit::try_from(100).expect("100 is a valid limit")
}

fn whole_page() -> Limit {
    Limit::try_from(100).expect("100 is a valid limit")
}

#[OpenApi(tag = "Tag::Game")]
impl GameFeed {
    /// Follow the changes of the site
    ///
    /// Returns the changes of accounts, characters, guilds and memberships after the change `after`, in their order. If there are none,
    /// the server waits up to `wait` seconds before it responds. Store `last` in the transaction that applies the changes, so that each
    /// takes effect once. Without `after`, the response has no changes: its `last` is the newest one. Read the snapshot afterwards, and
    /// then follow the changes. The site knows a change for 14 days (the time is a setting).
    #[oai(path = "/game/changes", method = "get", operation_id = "game_changes")]
    async fn changes(
        &self,
        caller: SenderOf<FollowChanges>,
        request: CommandRequest,
        /// The last change that the game server knows: `last` of an earlier response.
        after: Query<Option<ChangeId>>,
        #[oai(default = "default_change_limit")] limit: Query<ChangeLimit>,
        #[oai(default = "no_wait")] wait: Query<LeaseWait>,
    ) -> Result<ReadResponse<GameChanges, FollowChanges>, Problem> {
        let changes = match after.0 {
            None => changes::newest(&self.state).await?,
            Some(after) => {
                changes::after(&self.state, &request, caller.0.actor, after, limit.0, wait.0).await?
            }
        };
        ReadResponse::secret(&changes)
    }

    /// Read the states of everything that games must know
    ///
    /// Accounts, then characters, then guilds, then memberships. Deleted accounts and characters have `deleted`. A state may be newer
    /// than changes that follow: the last one counts.
    #[oai(path = "/game/snapshot", method = "get", operation_id = "game_snapshot")]
    async fn snapshot(
        &self,
        _caller: RequireRole<Game>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "whole_page")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<GameState>>, Problem> {
        self.state.lists.private_page(&Snapshot, Paging::new(page.0, limit.0, after.0)).await
    }
}
