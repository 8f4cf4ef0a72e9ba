//! Dead letters: messages that could not be processed. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    site::{DeadLetterId, DiscardDeadLetter, ReplayDeadLetter, command_name},
    values::{Limit, Page},
};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};
use sqlx::PgPool;

use crate::{
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
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

pub(crate) struct DeadLetters {
    pub state: State,
}

/// A message that could not be processed, without texts of people and without secrets.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct DeadLetter {
    pub dead_letter_id: DeadLetterId,
    /// The queue from which the message came.
    pub queue: String,
    /// The name of the command. Missing if the message is not a command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    pub reason: String,
    /// The redacted message, as JSON in a text. Missing if version 0.2.0 has stored it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    pub died_at: DateTime<Utc>,
    /// Whether the message itself is still stored. It is deleted when it is too old for a replay.
    pub replayable: bool,
}

/// All dead letters, newest first.
struct DeadLetterList;

impl List for DeadLetterList {
    type Item = DeadLetter;
    type Position = DeadLetterId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from dead_letters limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(&self, database: &PgPool, rows: PageRows<DeadLetterId>) -> sqlx::Result<Vec<DeadLetter>> {
        let rows = sqlx::query!(
            r#"select dead_letter_id as "dead_letter_id: DeadLetterId", queue, reason, message, died_at,
                      -- Postgres would read all bodies for `exists`.
                      (select true from dead_letter_bodies
                       where dead_letter_bodies.dead_letter_id = dead_letters.dead_letter_id) is not null as "replayable!"
               from dead_letters where $3::bigint is null or dead_letter_id < $3
               order by dead_letter_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            rows.after as Option<DeadLetterId>,
        )
        .fetch_all(database)
        .await?;
        let letters = rows.into_iter().map(|row| DeadLetter {
            dead_letter_id: row.dead_letter_id,
            queue: row.queue,
            command: row.message.as_deref().and_then(command_name),
            reason: row.reason,
            message: row.message,
            died_at: row.died_at,
            replayable: row.replayable,
        });
        Ok(letters.collect())
    }

    fn position(letter: &DeadLetter) -> DeadLetterId {
        letter.dead_letter_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/dead-letters")
    }
}

/// The dead letter.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct SelectedDeadLetter {
    dead_letter_id: DeadLetterId,
}

#[OpenApi(tag = "Tag::Administration")]
impl DeadLetters {
    /// List the dead letters, newest first
    ///
    /// Messages that could not be processed, with the reason. Texts of people and secrets are redacted.
    #[oai(path = "/admin/dead-letters", method = "get", operation_id = "admin_dead_letters")]
    async fn dead_letters(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<DeadLetter>>, Problem> {
        self.state.lists.private_page(&DeadLetterList, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Replay a dead letter
    ///
    /// Publishes the message to its queue again. Replay it when the cause is fixed. A command takes effect once, even if its message
    /// is replayed several times.
    #[oai(path = "/admin/dead-letters/replay", method = "post", operation_id = "admin_replay_dead_letter")]
    async fn replay(
        &self,
        caller: SenderOf<ReplayDeadLetter>,
        request: CommandRequest,
        body: JsonBody<SelectedDeadLetter>,
    ) -> Result<CommandResponse<ReplayDeadLetter>, Problem> {
        let command = ReplayDeadLetter { dead_letter_id: body.dead_letter_id };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Discard a dead letter
    ///
    /// It is deleted. The audit log keeps its queue and the name of its command.
    #[oai(path = "/admin/dead-letters/discard", method = "post", operation_id = "admin_discard_dead_letter")]
    async fn discard(
        &self,
        caller: SenderOf<DiscardDeadLetter>,
        request: CommandRequest,
        body: JsonBody<SelectedDeadLetter>,
    ) -> Result<CommandResponse<DiscardDeadLetter>, Problem> {
        let command = DiscardDeadLetter { dead_letter_id: body.dead_letter_id };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    DeadLetter {
        "dead_letter_id": 1, "queue": "guildhall.guild.3", "command": "guild.change_motd",
        "reason": "violates check constraint \"guilds_motd_short\"",
        "message": "{ \"command\": { \"name\": \"guild.change_motd\" } }", "died_at": "2030-01-31T12:00:00Z",
        "replayable": true
    }
    SelectedDeadLetter { "dead_letter_id": 1 }
}
