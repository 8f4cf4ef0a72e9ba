//! The endpoints for the export of an account's data and the deletion of the account.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{
        AccountId, AccountRefusal, CancelDeletion, CancelDeletionByLink, OpenExport, RequestExport,
        ScheduleDeletion,
    },
    command::{Actor, Refusal},
    secret_hash::hash_secret,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    account::{
        email::PresentedMailToken,
        own_password::{OwnPassword, ProvenOwner, send_proven},
    },
    auth::SenderOf,
    http::{
        client_address::ClientAddress, command_request::CommandRequest, command_response::CommandResponse,
        json::JsonBody, problem::Problem, read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct AccountLeaving {
    pub state: State,
}

/// What the site knows about an account.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct AccountExport {
    account_id: AccountId,
    created_at: DateTime<Utc>,
    /// A JSON document, ready to be stored as a file.
    document: String,
}

#[OpenApi(tag = "Tag::Accounts")]
impl AccountLeaving {
    /// Ask for a copy of my data
    ///
    /// The verified address of the account receives a link to it. The link is valid for a week, and for ten minutes after its first
    /// use.
    #[oai(path = "/accounts/request-export", method = "post", operation_id = "account_request_export")]
    async fn request_export(
        &self,
        caller: SenderOf<RequestExport>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<OwnPassword>,
    ) -> Result<CommandResponse<RequestExport>, Problem> {
        let command = async |owner: ProvenOwner| Ok(RequestExport { proven_hash: owner.proven_hash });
        send_proven(&self.state, &request, (&caller, *address.0), body.0.password, command).await
    }

    /// Get the copy of my data by a link
    ///
    /// The page that the link opens sends the token after `#token=`. After the first use, the token is valid for ten more minutes.
    #[oai(path = "/accounts/open-export", method = "post", operation_id = "account_open_export")]
    async fn open_export(
        &self,
        request: CommandRequest,
        body: JsonBody<PresentedMailToken>,
    ) -> Result<ReadResponse<AccountExport, OpenExport>, Problem> {
        let command = OpenExport { token_hash: hash_secret(body.token.as_bytes()) };
        let opened = self.state.commands.send_and_wait(&request, Actor::Anonymous, command).await?;
        let export = sqlx::query_as!(
            AccountExport,
            r#"select account_id as "account_id: AccountId", created_at, document
               from account_exports where account_id = $1 and expires_at > now()"#,
            opened.account_id.get(),
        );
        let export = export.fetch_optional(&self.state.database).await?;
        ReadResponse::secret(&export.ok_or_else(|| AccountRefusal::TokenNotFound.refused())?)
    }

    /// Delete my account
    ///
    /// It is deleted after some days, and its owner can cancel that until then. Then its name, its address and its texts are erased,
    /// its characters leave their guilds, and the leadership of a guild passes to another member. Payments and purchases stay under a
    /// number.
    #[oai(path = "/accounts/delete", method = "post", operation_id = "account_delete")]
    async fn delete(
        &self,
        caller: SenderOf<ScheduleDeletion>,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        body: JsonBody<OwnPassword>,
    ) -> Result<CommandResponse<ScheduleDeletion>, Problem> {
        let command = async |owner: ProvenOwner| Ok(ScheduleDeletion { proven_hash: owner.proven_hash });
        send_proven(&self.state, &request, (&caller, *address.0), body.0.password, command).await
    }

    /// Cancel the deletion of my account
    ///
    /// The account stays as it is.
    #[oai(path = "/accounts/cancel-deletion", method = "post", operation_id = "account_cancel_deletion")]
    async fn cancel_deletion(
        &self,
        caller: SenderOf<CancelDeletion>,
        request: CommandRequest,
    ) -> Result<CommandResponse<CancelDeletion>, Problem> {
        self.state.commands.send(&request, &caller, CancelDeletion {}).await
    }

    /// Cancel the deletion of an account by a link
    ///
    /// The mail about the deletion has the link. The request needs no log-in, because the owner may not know the password any more:
    /// a stranger who requests a deletion may also have changed the password.
    #[oai(
        path = "/accounts/cancel-deletion-by-link",
        method = "post",
        operation_id = "account_cancel_deletion_by_link"
    )]
    async fn cancel_deletion_by_link(
        &self,
        request: CommandRequest,
        body: JsonBody<PresentedMailToken>,
    ) -> Result<CommandResponse<CancelDeletionByLink>, Problem> {
        let command = CancelDeletionByLink { token_hash: hash_secret(body.token.as_bytes()) };
        self.state.commands.send_from_visitor(&request, command).await
    }
}

guildhall_common::examples! {
    AccountExport { "account_id": 3, "created_at": "2030-02-01T12:00:00Z", "document": "{ \"account\": { \"name\": \"mira\" } }" }
}
