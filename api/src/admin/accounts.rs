//! The endpoints for accounts of players, and the bodies of their requests.

use guildhall_common::contract::{
    account::{
        AccountId, AddAccountNote, Email, ExpirePassword, GrantRole, LiftSuspension, NoteText,
        ResetSecondFactor, RevokeRole, StaffRole, SuspendAccount, VerifyEmailByHand,
    },
    character::CharacterName,
    command::OperationId,
    payment::PaymentId,
    values::{Reason, Timestamp},
};
use guildhall_common::text_types;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    admin::account_search::{AccountDetails, AccountSearch, FoundAccounts, account_details, find_accounts},
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::JsonBody,
        parameters::{Path, Query},
        problem::Problem,
        read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

text_types! {
    /// The beginning of the name of an account.
    AccountNamePrefix { 1 ..= 32, "^[A-Za-z0-9_]+$", "mir" }
}

pub(crate) struct AccountAdministration {
    pub state: State,
}

/// The account to suspend.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewSuspension {
    account_id: AccountId,
    /// Missing: for ever.
    until: Option<Timestamp>,
    /// The player reads it at the log-in.
    reason: Reason,
}

/// An account, and the reason of an action.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct AccountAction {
    account_id: AccountId,
    reason: Reason,
}

/// A note about an account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewAccountNote {
    account_id: AccountId,
    text: NoteText,
}

/// A role of an account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct RoleChange {
    account_id: AccountId,
    role: StaffRole,
}

#[OpenApi(tag = "Tag::Administration")]
impl AccountAdministration {
    /// Find accounts
    ///
    /// By the beginning of a name, an e-mail address, the name of a character, or the id of a payment or an operation. An account
    /// must match all of them. At most 100 accounts are returned.
    #[oai(path = "/admin/accounts", method = "get", operation_id = "admin_accounts")]
    async fn accounts(
        &self,
        _caller: RequireRole<Admin>,
        name: Query<Option<AccountNamePrefix>>,
        email: Query<Option<Email>>,
        character: Query<Option<CharacterName>>,
        payment_id: Query<Option<PaymentId>>,
        operation_id: Query<Option<OperationId>>,
    ) -> Result<ReadResponse<FoundAccounts>, Problem> {
        let search = AccountSearch {
            name: name.0.map(String::from),
            email: email.0.map(String::from),
            character: character.0.map(String::from),
            payment_id: payment_id.0,
            operation_id: operation_id.0,
        };
        ReadResponse::private(&find_accounts(&self.state.database, &search).await?)
    }

    /// Get an account with its sessions, characters and notes
    ///
    /// `/admin/payments?account_id=` lists its payments.
    #[oai(path = "/admin/accounts/:id", method = "get", operation_id = "admin_account")]
    async fn account(
        &self,
        _caller: RequireRole<Admin>,
        id: Path<AccountId>,
    ) -> Result<ReadResponse<AccountDetails>, Problem> {
        ReadResponse::private(&account_details(&self.state.database, id.0).await?)
    }

    /// Suspend an account
    ///
    /// Its sessions end, and it cannot log in until the suspension ends. The player reads the reason at the log-in.
    #[oai(path = "/admin/accounts/suspend", method = "post", operation_id = "admin_suspend_account")]
    async fn suspend(
        &self,
        caller: SenderOf<SuspendAccount>,
        request: CommandRequest,
        body: JsonBody<NewSuspension>,
    ) -> Result<CommandResponse<SuspendAccount>, Problem> {
        let NewSuspension { account_id, until, reason } = body.0;
        let command = SuspendAccount { account_id, until: until.map(|until| until.0), reason };
        self.state.commands.send(&request, &caller, command).await
    }

    /// End the suspension of an account
    ///
    /// It can log in again.
    #[oai(path = "/admin/accounts/lift-suspension", method = "post", operation_id = "admin_lift_suspension")]
    async fn lift_suspension(
        &self,
        caller: SenderOf<LiftSuspension>,
        request: CommandRequest,
        body: JsonBody<AccountAction>,
    ) -> Result<CommandResponse<LiftSuspension>, Problem> {
        let AccountAction { account_id, reason } = body.0;
        self.state.commands.send(&request, &caller, LiftSuspension { account_id, reason }).await
    }

    /// Make the password of an account invalid
    ///
    /// Its sessions end, and its verified address receives a link that sets a new password.
    #[oai(path = "/admin/accounts/expire-password", method = "post", operation_id = "admin_expire_password")]
    async fn expire_password(
        &self,
        caller: SenderOf<ExpirePassword>,
        request: CommandRequest,
        body: JsonBody<AccountAction>,
    ) -> Result<CommandResponse<ExpirePassword>, Problem> {
        let AccountAction { account_id, reason } = body.0;
        self.state.commands.send(&request, &caller, ExpirePassword { account_id, reason }).await
    }

    /// Disable the second factor of an account
    ///
    /// For a player who has lost the authenticator app and the recovery codes. Make sure that it is the owner who asks.
    #[oai(
        path = "/admin/accounts/reset-second-factor",
        method = "post",
        operation_id = "admin_reset_second_factor"
    )]
    async fn reset_second_factor(
        &self,
        caller: SenderOf<ResetSecondFactor>,
        request: CommandRequest,
        body: JsonBody<AccountAction>,
    ) -> Result<CommandResponse<ResetSecondFactor>, Problem> {
        let AccountAction { account_id, reason } = body.0;
        self.state.commands.send(&request, &caller, ResetSecondFactor { account_id, reason }).await
    }

    /// Verify the e-mail address of an account by hand
    ///
    /// For a player who receives no mails.
    #[oai(path = "/admin/accounts/verify-email", method = "post", operation_id = "admin_verify_email")]
    async fn verify_email(
        &self,
        caller: SenderOf<VerifyEmailByHand>,
        request: CommandRequest,
        body: JsonBody<AccountAction>,
    ) -> Result<CommandResponse<VerifyEmailByHand>, Problem> {
        let AccountAction { account_id, reason } = body.0;
        self.state.commands.send(&request, &caller, VerifyEmailByHand { account_id, reason }).await
    }

    /// Add a note about an account
    ///
    /// Administrators read it, and its player in a copy of their data.
    #[oai(path = "/admin/accounts/add-note", method = "post", operation_id = "admin_add_account_note")]
    async fn add_note(
        &self,
        caller: SenderOf<AddAccountNote>,
        request: CommandRequest,
        body: JsonBody<NewAccountNote>,
    ) -> Result<CommandResponse<AddAccountNote, 201>, Problem> {
        let NewAccountNote { account_id, text } = body.0;
        self.state.commands.send(&request, &caller, AddAccountNote { account_id, text }).await
    }

    /// Give a role to an account
    ///
    /// It applies to the next request. A site can require two administrators for the role admin.
    #[oai(path = "/admin/accounts/grant-role", method = "post", operation_id = "admin_grant_role")]
    async fn grant_role(
        &self,
        caller: SenderOf<GrantRole>,
        request: CommandRequest,
        body: JsonBody<RoleChange>,
    ) -> Result<CommandResponse<GrantRole>, Problem> {
        let RoleChange { account_id, role } = body.0;
        self.state.commands.send(&request, &caller, GrantRole { account_id, role }).await
    }

    /// Take a role from an account
    ///
    /// It applies to the next request. The last administrator stays one.
    #[oai(path = "/admin/accounts/revoke-role", method = "post", operation_id = "admin_revoke_role")]
    async fn revoke_role(
        &self,
        caller: SenderOf<RevokeRole>,
        request: CommandRequest,
        body: JsonBody<RoleChange>,
    ) -> Result<CommandResponse<RevokeRole>, Problem> {
        let RoleChange { account_id, role } = body.0;
        self.state.commands.send(&request, &caller, RevokeRole { account_id, role }).await
    }
}

guildhall_common::examples! {
    NewSuspension { "account_id": 3, "until": "2030-02-01T12:00:00Z", "reason": "Spam in the guild texts." }
    AccountAction { "account_id": 3, "reason": "The player wrote to the staff." }
    NewAccountNote { "account_id": 3, "text": "Asked twice about a lost item." }
    RoleChange { "account_id": 3, "role": "editor" }
}
