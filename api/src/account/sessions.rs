//! The sessions of the caller.

use chrono::{DateTime, Utc};
use guildhall_common::contract::account::{EndOtherSessions, EndSession, SessionId};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    auth::{Caller, Player, RequireRole, SenderOf, unauthorized},
    http::{
        command_request::CommandRequest, command_response::CommandResponse, parameters::Path,
        problem::Problem, read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct AccountSessions {
    pub state: State,
}

/// The maximum number of listed sessions.
const LISTED: i64 = 100;

/// A session of the caller.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct SessionDetails {
    pub session_id: SessionId,
    /// The `User-Agent` of the last log-in or renewal. It is empty for a session of an older version.
    pub device: String,
    /// The IPv4 address, or the /64 network of the IPv6 address, of the last log-in or renewal.
    pub network: String,
    pub created_at: DateTime<Utc>,
    /// The time of the last log-in or renewal.
    pub last_used_at: DateTime<Utc>,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// The active sessions of the caller, the last used one first.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct OwnSessions {
    pub sessions: Vec<SessionDetails>,
}

/// The active sessions of the caller, the last used one first.
async fn own_sessions(state: &State, caller: &Caller) -> Result<OwnSessions, Problem> {
    let sessions = sqlx::query_as!(
        SessionDetails,
        r#"select session_id as "session_id: SessionId", device, network, created_at,
                  coalesce(last_used_at, created_at) as "last_used_at!",
                  (session_id is not distinct from $2) as "current!"
           from sessions
           where account_id = $1 and ended_at is null and exists (
               select from refresh_tokens
               where refresh_tokens.session_id = sessions.session_id and replaced_at is null and expires_at > now()
           )
           order by coalesce(last_used_at, created_at) desc, session_id limit $3"#,
        caller.account_id()?.get(),
        caller.session_id.map(SessionId::get),
        LISTED,
    );
    Ok(OwnSessions { sessions: sessions.fetch_all(&state.database).await? })
}

#[OpenApi(tag = "Tag::Accounts")]
impl AccountSessions {
    /// List my sessions
    ///
    /// Sorted by their last use, latest first. Each has the device and the network of its last use.
    #[oai(path = "/accounts/sessions", method = "get", operation_id = "account_sessions")]
    async fn sessions(&self, caller: RequireRole<Player>) -> Result<ReadResponse<OwnSessions>, Problem> {
        ReadResponse::private(&own_sessions(&self.state, &caller.0).await?)
    }

    /// End one of my sessions
    ///
    /// Its tokens are invalid from now on.
    #[oai(path = "/accounts/sessions/:id", method = "delete", operation_id = "account_end_session")]
    async fn end_session(
        &self,
        caller: SenderOf<EndSession>,
        request: CommandRequest,
        id: Path<SessionId>,
    ) -> Result<CommandResponse<EndSession>, Problem> {
        self.state.commands.send(&request, &caller, EndSession { session_id: id.0 }).await
    }

    /// End my other sessions
    ///
    /// Only the session of this access token stays.
    #[oai(path = "/accounts/sessions", method = "delete", operation_id = "account_end_other_sessions")]
    async fn end_other_sessions(
        &self,
        caller: SenderOf<EndOtherSessions>,
        request: CommandRequest,
    ) -> Result<CommandResponse<EndOtherSessions>, Problem> {
        let kept = caller.0.session_id.ok_or_else(unauthorized)?;
        self.state.commands.send(&request, &caller, EndOtherSessions { kept }).await
    }
}

guildhall_common::examples! {
    SessionDetails {
        "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "device": "Mozilla/5.0 (X11; Linux x86_64)",
        "network": "203.0.113.7", "created_at": "2030-01-01T12:00:00Z", "last_used_at": "2030-01-02T12:00:00Z",
        "current": true
    }
    OwnSessions {
        "sessions": [{
            "session_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "device": "Mozilla/5.0 (X11; Linux x86_64)",
            "network": "203.0.113.7", "created_at": "2030-01-01T12:00:00Z",
            "last_used_at": "2030-01-02T12:00:00Z", "current": true
        }]
    }
}
