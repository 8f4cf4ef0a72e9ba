//! The game servers and whether they answer. This is private, so it is not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{account::ServiceTokenId, values::Limit};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::http::list::{List, Paging, page_query};

/// Leases without an answer after which a game server counts as one that answers none.
const TOO_MANY_LEASES: i32 = 20;

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
    pub online_characters: i64,
    /// Leases of deliveries since it last acknowledged or refused one.
    pub unanswered_leases: i32,
    /// Whether it leases deliveries and answers none. It may crash while it delivers, or the program may be wrong.
    pub answers_none: bool,
    /// The time of its last acknowledgement or refusal. Missing if there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answered_at: Option<DateTime<Utc>>,
}

/// The service tokens that are valid.
pub(super) struct GameServerList;

impl List for GameServerList {
    type Item = GameServer;

    async fn count(&self, database: &PgPool) -> sqlx::Result<i64> {
        sqlx::query_scalar!(r#"select count(*) as "count!" from service_tokens where revoked_at is null"#)
            .fetch_one(database)
            .await
    }

    async fn items(&self, database: &PgPool, paging: Paging) -> sqlx::Result<Vec<GameServer>> {
        sqlx::query_as!(
            GameServer,
            r#"select service_token_id as "service_token_id: ServiceTokenId", name, seen_at as "seen_at?", answered_at,
                      coalesce(presence_until > now(), false) as "present!",
                      (select count(*) from characters where online_by = service_token_id) as "online_characters!",
                      coalesce(unanswered_leases, 0) as "unanswered_leases!",
                      coalesce(unanswered_leases >= $3, false) as "answers_none!"
               from service_tokens left join game_servers using (service_token_id)
               where revoked_at is null order by service_token_id limit $1 offset $2"#,
            paging.limit(),
            paging.offset(),
            TOO_MANY_LEASES,
        )
        .fetch_all(database)
        .await
    }

    fn path(&self, page: i64, limit: Limit) -> String {
        format!("/admin/game-servers?{}", page_query(page, limit))
    }
}

guildhall_common::examples! {
    GameServer {
        "service_token_id": 1, "name": "world 1", "seen_at": "2030-01-31T12:00:00Z", "present": true,
        "online_characters": 120, "unanswered_leases": 0, "answers_none": false, "answered_at": "2030-01-31T11:58:00Z"
    }
}
