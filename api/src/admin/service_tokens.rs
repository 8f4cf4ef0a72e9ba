//! The tokens of game servers. They are private, so they are not cached.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    account::{SERVICE_TOKEN_PREFIX, ServiceTokenId},
    secret_hash::hash_secret,
    site::{AllowImport, CreateServiceToken, RevokeServiceToken, ServiceTokenName},
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

pub(crate) struct ServiceTokens {
    pub state: State,
}

/// A service token, without its secret.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct ServiceToken {
    pub service_token_id: ServiceTokenId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    /// Missing while it is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revoked_at: Option<DateTime<Utc>>,
    /// The game server may import accounts until then. Missing: no administrator has allowed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imports_until: Option<DateTime<Utc>>,
}

/// A new service token, with its secret.
#[derive(Serialize, Deserialize, Object)]
#[oai(example)]
pub(crate) struct NewServiceToken {
    pub service_token_id: ServiceTokenId,
    pub name: String,
    /// The token for the game server. It is shown only here.
    pub token: String,
}

/// All service tokens, newest first.
struct ServiceTokenList;

impl List for ServiceTokenList {
    type Item = ServiceToken;
    type Position = ServiceTokenId;

    async fn count(&self, database: &PgPool, limit: i64) -> sqlx::Result<i64> {
        sqlx::query_scalar!(
            r#"select count(*) as "count!" from (select from service_tokens limit $1) as counted"#,
            limit,
        )
        .fetch_one(database)
        .await
    }

    async fn items(
        &self,
        database: &PgPool,
        rows: PageRows<ServiceTokenId>,
    ) -> sqlx::Result<Vec<ServiceToken>> {
        sqlx::query_as!(
            ServiceToken,
            r#"select service_token_id as "service_token_id: ServiceTokenId", name, created_at, revoked_at, imports_until
               from service_tokens where $3::bigint is null or service_token_id < $3
               order by service_token_id desc limit $1 offset $2"#,
            rows.limit,
            rows.offset,
            rows.after as Option<ServiceTokenId>,
        )
        .fetch_all(database)
        .await
    }

    fn position(token: &ServiceToken) -> ServiceTokenId {
        token.service_token_id
    }

    fn address(&self) -> ListAddress {
        ListAddress::with_query("/admin/service-tokens")
    }
}

/// The name of the new service token.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ServiceTokenToCreate {
    name: ServiceTokenName,
}

/// The service token to revoke.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ServiceTokenToRevoke {
    service_token_id: ServiceTokenId,
}

/// The service token whose game server may import accounts.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ServiceTokenOfImport {
    service_token_id: ServiceTokenId,
}

/// A token of 160 random bits.
fn random_token() -> String {
    format!("{SERVICE_TOKEN_PREFIX}{}", hex::encode(rand::random::<[u8; 20]>()))
}

#[OpenApi(tag = "Tag::Administration")]
impl ServiceTokens {
    /// List the service tokens, newest first
    ///
    /// Including revoked ones. The tokens themselves are not stored.
    #[oai(path = "/admin/service-tokens", method = "get", operation_id = "admin_service_tokens")]
    async fn service_tokens(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<ServiceToken>>, Problem> {
        let paging = Paging::new(page.0, limit.0, after.0);
        self.state.lists.private_page(&ServiceTokenList, paging).await
    }

    /// Create a service token for a game server
    ///
    /// The response shows the token once. If this response is lost, revoke the token and create one with another name.
    #[oai(
        path = "/admin/service-tokens/create",
        method = "post",
        operation_id = "admin_create_service_token"
    )]
    async fn create(
        &self,
        caller: SenderOf<CreateServiceToken>,
        request: CommandRequest,
        body: JsonBody<ServiceTokenToCreate>,
    ) -> Result<ReadResponse<NewServiceToken, CreateServiceToken>, Problem> {
        let (name, token) = (body.0.name, random_token());
        let command = CreateServiceToken { name: name.clone(), token_hash: hash_secret(&token) };
        let created = self.state.commands.send_and_wait(&request, caller.0.actor, command).await?;
        let service_token_id = created.service_token_id;
        ReadResponse::secret(&NewServiceToken { service_token_id, name: name.into(), token })
    }

    /// Revoke a service token
    ///
    /// The next request of its game server is refused. Its name stays taken.
    #[oai(
        path = "/admin/service-tokens/revoke",
        method = "post",
        operation_id = "admin_revoke_service_token"
    )]
    async fn revoke(
        &self,
        caller: SenderOf<RevokeServiceToken>,
        request: CommandRequest,
        body: JsonBody<ServiceTokenToRevoke>,
    ) -> Result<CommandResponse<RevokeServiceToken>, Problem> {
        let command = RevokeServiceToken { service_token_id: body.service_token_id };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Allow a game server to import accounts, for a day
    ///
    /// It may create accounts with passwords of its players (`/game/accounts/import`).
    #[oai(path = "/admin/service-tokens/allow-import", method = "post", operation_id = "admin_allow_import")]
    async fn allow_import(
        &self,
        caller: SenderOf<AllowImport>,
        request: CommandRequest,
        body: JsonBody<ServiceTokenOfImport>,
    ) -> Result<CommandResponse<AllowImport>, Problem> {
        let command = AllowImport { service_token_id: body.service_token_id };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    ServiceToken { "service_token_id": 2, "name": "World 1", "created_at": "2030-01-31T12:00:00Z" }
    NewServiceToken {
        "service_token_id": 2, "name": "World 1", "token": "ghs_0123456789abcdef0123456789abcdef01234567"
    }
    ServiceTokenToCreate { "name": "World 1" }
    ServiceTokenToRevoke { "service_token_id": 2 }
    ServiceTokenOfImport { "service_token_id": 2 }
}
