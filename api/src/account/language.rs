//! The endpoint that changes the language of mails.

use guildhall_common::contract::account::{ChangeLanguage, Language};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::SenderOf,
    http::{
        command_request::CommandRequest, command_response::CommandResponse, json::JsonBody, problem::Problem,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct AccountLanguage {
    pub state: State,
}

/// The language of mails.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewLanguage {
    language: Language,
}

#[OpenApi(tag = "Tag::Accounts")]
impl AccountLanguage {
    /// Change the language of my mails
    ///
    /// At registration it is the language of the client, if the site supports it.
    #[oai(path = "/accounts/change-language", method = "post", operation_id = "account_change_language")]
    async fn change_language(
        &self,
        caller: SenderOf<ChangeLanguage>,
        request: CommandRequest,
        body: JsonBody<NewLanguage>,
    ) -> Result<CommandResponse<ChangeLanguage>, Problem> {
        let command = ChangeLanguage { language: body.language };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    NewLanguage { "language": "pt" }
}
