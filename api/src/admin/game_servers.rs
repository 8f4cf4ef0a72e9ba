//! The game servers and whether they answer. This is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::ServiceTokenId,
    values::{Limit, Page},
};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::{Admin, RequireRole},
    http::{
        cursor::Cursor,
        list::List,
        list_address::ListAddress,
        paging::{PageRows, Paging, default_limit, first_page},
        parameters::Query,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

/// Leases without an answer after which a game server counts as one that answers none.
const TOO_MANY_LEASES: i32 = 20;

/// The maximum number of unread changes that are counted.
const MAX_UNREAD: i64 = 1000;

pub(crate) struct GameServers {
    pub state: State,
}

/// A service token and the game server that uses it.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct GameServer {
    pub service_token_id: ServiceTokenId,
    /// The name of the service token.
    pub name: String,
    /// The time of its last request, to within 15 seconds. Missing if it has sent none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seen_at: Option<DateTime<Utc>>,
    /// Whether the characters that it has reported count as online.
    pub present: bool,
    /// Leases of deliveries since it last acknowledged or refused one.
    pub unanswered_leases: i32,
    /// Whether it leases deliveries and answers none. It may crash while it delivers, or the program may be wrong.
    pub answers_none: bool,
    /// The time of its last acknowledgement or refusal. Missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<DateTime<Utc>>,
    /// The changes of the site that it has not read, to within 15 seconds: at most 1,000. Missing if it does not follow them, or if
    /// its place is lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread_changes: Option<i64>,
    /// The time of the first of these changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oldest_unread_at: Option<DateTime<Utc>>,
    /// Whether the site does not have the last change that it has read. It must read the snapshot.
    pub place_lost: bool,
}

/// The service tokens that are valid.
struct GameServerList;

impl List for GameServerList {
    type Item = GameServer;
    type Position = ServiceTokenId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!"
               from (select from service_tokens where revoked_at is null limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<ServiceTokenId>,
    ) -> sqlx::Result<Vec<GameServer>> {
        sqlx::query_as!(
            GameServer,
            r#"select service_token_id as "service_token_id: ServiceTokenId", name, seen_at as "seen_at?", answered_at,
                      coalesce(presence_until > now(), false) as "present!",
                      coalesce(unanswered_leases, 0) as "unanswered_leases!",
                      coalesce(unanswered_leases >= $3, false) as "answers_none!",
                      unread.count as "unread_changes?", unread.oldest as "oldest_unread_at?",
                      applied_change is not null and place.number is null as "place_lost!"
               from service_tokens left join game_servers using (service_token_id)
               left join game_changes as place on change_id = applied_change
               left join lateral (
                   select count(*), min(changed_at) as oldest from (
                       select changed_at from game_changes as next
                       where next.number > place.number and state is not null order by next.number limit $5
                   ) as following
               ) as unread on place.number is not null
               where revoked_at is null and ($4::bigint is null or service_token_id > $4)
               order by service_token_id limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            TOO_MANY_LEASES,
            rows.after as Option<ServiceTokenId>,
            MAX_UNREAD,
        )
        .fetch_all(database)
        .await
    }

    fn position(server: &GameServer) -> ServiceTokenId {
        server.service_token_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/game-servers")
    }
}

#[OpenApi(tag = "Tag::Administration")]
impl GameServers {
    /// List the game servers
    ///
    /// Each service token has the state of its game server: its presence, and whether it answers deliveries.
    #[oai(path = "/admin/game-servers", method = "get", operation_id = "admin_game_servers")]
    async fn game_servers(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<GameServer>>, Problem> {
        self.state.lists.private_page(&GameServerList, Paging::new(page.0, limit.0, after.0)).await
    }
}

guildhall_common::examples! {
    GameServer {
        "service_token_id": 1, "name": "world 1", "seen_at": "2030-01-31T12:00:00Z", "present": true,
        "unanswered_leases": 0, "answers_none": false, "answered_at": "2030-01-31T11:58:00Z",
        "unread_changes": 2, "oldest_unread_at": "2030-01-31T11:59:59Z", "place_lost": false
    }
}
