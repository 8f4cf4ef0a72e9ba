//! The endpoints of accounts, sessions and characters, and the bodies of their requests.

pub(crate) mod captcha;
pub(crate) mod characters;
mod coins;
pub(crate) mod cookie_session;
pub(crate) mod email;
mod found_account;
pub(crate) mod language;
pub(crate) mod leaving;
pub(crate) mod link_code;
mod own_password;
mod password_log_in;
pub(crate) mod passwords;
mod read;
pub(crate) mod second_factor;
mod session;
pub(crate) mod sessions;
mod standing;

use guildhall_common::contract::{
    account::{
        AccountName, CreateCharacter, Email, EndSession, Language, Register, RotateSession, StartSession,
    },
    character::{CharacterName, Vocation},
    command::Actor,
    values::{Limit, Page},
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    account::{
        coins::{CoinEntry, CoinHistory},
        read::{Account, Character, CharacterList},
        session::{Credentials, LogInClient, Session, TokenRefresh},
    },
    auth::{Player, RequireRole, SenderOf, new_password::NewPassword, unauthorized},
    captcha::required_captcha::CaptchaSolution,
    config::CaptchaPlace,
    http::{
        client_address::ClientAddress,
        client_headers::ClientHeaders,
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::{Paging, default_limit, first_page},
        parameters::{Header, Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Accounts {
    pub state: State,
}

/// A new account.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewAccount {
    name: AccountName,
    email: Email,
    password: NewPassword,
    /// The language of mails. The default is the first supported one of `Accept-Language`, or English.
    language: Option<Language>,
}

/// A new character.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewCharacter {
    name: CharacterName,
    vocation: Vocation,
}

#[OpenApi(tag = "Tag::Accounts")]
impl Accounts {
    /// Register an account
    ///
    /// This needs no token. Log in afterwards with the name, or with the e-mail address when it is verified. Neither is
    /// case-sensitive. The address receives a mail with a link that verifies it.
    #[oai(path = "/accounts/register", method = "post", operation_id = "account_register")]
    async fn register(
        &self,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        #[oai(name = "Captcha")] captcha: Header<Option<CaptchaSolution>>,
        body: JsonBody<NewAccount>,
    ) -> Result<CommandResponse<Register, 201>, Problem> {
        // A repeated request costs no captcha and no password hash.
        if let Some(response) = self.state.commands.find_response(&request, Actor::Anonymous).await? {
            return Ok(response);
        }
        let place = CaptchaPlace::Registration;
        self.state.captchas.require(place, &request, *address.0, captcha.0).await?;
        self.state.rate_limits.try_registration(*address.0)?;
        let NewAccount { name, email, password, language } = body.0;
        let names = vec![name.to_string(), email.to_string()];
        let password_hash = self.state.passwords.hash(password, names).await?;
        let language = language.or(headers.language).unwrap_or_default();
        let command = Register { name, email, password_hash, language };
        self.state.commands.send_from_visitor(&request, command).await
    }

    /// Log in
    ///
    /// Returns an access token and a refresh token. Failed attempts are limited per login and IP address. If the account has a
    /// second factor and does not trust the device, the response is 401 with the code `second_factor_required` and a `challenge`
    /// for `/auth/second-factor`.
    #[oai(path = "/auth", method = "post", operation_id = "auth_log_in")]
    async fn log_in(
        &self,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        #[oai(name = "Captcha")] captcha: Header<Option<CaptchaSolution>>,
        body: JsonBody<Credentials>,
    ) -> Result<ReadResponse<Session, StartSession>, Problem> {
        self.state.captchas.require(CaptchaPlace::LogIn, &request, *address.0, captcha.0).await?;
        let client = LogInClient { address: *address.0, device: headers.device };
        ReadResponse::secret(&password_log_in::start(&self.state, &request, client, body.0).await?)
    }

    /// Refresh the tokens
    ///
    /// A refresh token is replaced by its first use. The same request can be repeated for 30 seconds, as long as the new refresh
    /// token was not used. A later use ends the session, because the token may be stolen.
    #[oai(path = "/auth/refresh", method = "post", operation_id = "auth_refresh")]
    async fn refresh(
        &self,
        request: CommandRequest,
        address: Data<&ClientAddress>,
        headers: ClientHeaders,
        body: JsonBody<TokenRefresh>,
    ) -> Result<ReadResponse<Session, RotateSession>, Problem> {
        let client = LogInClient { address: *address.0, device: headers.device };
        ReadResponse::secret(&session::rotate(&self.state, &request, client, &body.refresh_token).await?)
    }

    /// Log out
    ///
    /// Ends the session of the access token.
    #[oai(path = "/auth", method = "delete", operation_id = "auth_log_out")]
    async fn log_out(
        &self,
        caller: SenderOf<EndSession>,
        request: CommandRequest,
    ) -> Result<CommandResponse<EndSession>, Problem> {
        let session_id = caller.0.session_id.ok_or_else(unauthorized)?;
        self.state.commands.send(&request, &caller, EndSession { session_id }).await
    }

    /// Get my account
    ///
    /// Returns the account of the caller with its roles and its balance of coins.
    #[oai(path = "/accounts/me", method = "get", operation_id = "account_me")]
    async fn me(&self, caller: RequireRole<Player>) -> Result<ReadResponse<Account>, Problem> {
        read::account(&self.state, &caller.0).await
    }

    /// List the changes of my coins, newest first
    ///
    /// Each change has its kind, and the payment or the purchase to which it belongs.
    #[oai(path = "/accounts/coins/:page/:limit", method = "get", operation_id = "account_coins")]
    async fn coins(
        &self,
        caller: RequireRole<Player>,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<CoinEntry>>, Problem> {
        let history = CoinHistory { account_id: caller.0.account_id()? };
        self.state.lists.private_page(&history, Paging::new(page.0, limit.0, after.0)).await
    }

    /// List my characters
    ///
    /// Sorted by name. The list has the characters that were created here and those that a game server has reported.
    #[oai(path = "/accounts/characters", method = "get", operation_id = "account_characters")]
    async fn characters(
        &self,
        caller: RequireRole<Player>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<Character>>, Problem> {
        let characters = CharacterList { account_id: caller.0.account_id()? };
        self.state.lists.private_page(&characters, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Create a character
    ///
    /// The name is reserved for the account. The site limits the number of characters of an account.
    #[oai(path = "/accounts/create-character", method = "post", operation_id = "account_create_character")]
    async fn create_character(
        &self,
        caller: SenderOf<CreateCharacter>,
        request: CommandRequest,
        body: JsonBody<NewCharacter>,
    ) -> Result<CommandResponse<CreateCharacter, 201>, Problem> {
        let command = CreateCharacter { name: body.0.name, vocation: body.0.vocation };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    NewAccount { "name": "mira", "email": "mira@example.org", "password": "correct horse battery" }
    NewCharacter { "name": "Mira Stormborn", "vocation": "Elder Druid" }
    Credentials { "login": "mira", "password": "correct horse battery" }
    TokenRefresh { "refresh_token": "mJq0c7y1Yh3o4a8Wm0n9d2s5f6g7h8j9k0l1z2x3c4v" }
}
