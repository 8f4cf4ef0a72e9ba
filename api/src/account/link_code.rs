//! The link code of an account, for the game.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{account::CreateLinkCode, secret_hash::hash_secret};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    auth::SenderOf,
    http::{command_request::CommandRequest, problem::Problem, read_response::ReadResponse},
    openapi::Tag,
    state::State,
};

/// The digits and letters of a code, without those that look like others.
const SIGNS: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Together 40 random bits. Only game servers can try codes.
const LENGTH: usize = 8;

pub(crate) struct LinkCodes {
    pub state: State,
}

/// A link code.
#[derive(Serialize, Deserialize, Object)]
#[oai(example)]
pub(crate) struct NewLinkCode {
    /// What the player types in the game.
    pub code: String,
    pub expires_at: DateTime<Utc>,
}

#[OpenApi(tag = "Tag::Accounts")]
impl LinkCodes {
    /// Create a link code
    ///
    /// The player types it in the game within 15 minutes. The game server then learns the account of the player (`/game/use-link-code`).
    /// A new code replaces the former one.
    #[oai(path = "/accounts/link-code", method = "post", operation_id = "account_create_link_code")]
    async fn create(
        &self,
        caller: SenderOf<CreateLinkCode>,
        request: CommandRequest,
    ) -> Result<ReadResponse<NewLinkCode, CreateLinkCode>, Problem> {
        let code = random_code();
        let command = CreateLinkCode { code_hash: hash_secret(&code) };
        let created = self.state.commands.send_and_wait(&request, caller.0.actor, command).await?;
        let (first, last) = code.split_at(LENGTH / 2);
        ReadResponse::secret(&NewLinkCode { code: format!("{first}-{last}"), expires_at: created.expires_at })
    }
}

fn random_code() -> String {
    let sign = |byte: u8| char::from(SIGNS[usize::from(byte) % SIGNS.len()]);
    rand::random::<[u8; LENGTH]>().into_iter().map(sign).collect()
}

guildhall_common::examples! {
    NewLinkCode { "code": "K7QF-3MPX", "expires_at": "2030-01-31T12:15:00Z" }
}
