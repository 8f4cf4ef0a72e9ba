//! The import of the accounts of a game whose community moves to the site.

use std::collections::HashSet;

use guildhall_common::{
    contract::{
        account::ServiceTokenId,
        command::{Actor, Refusal},
        game::{
            GameAccount, GameAccountEmail, GameAccountId, GameAccountName, GameCharacterId, GameGuild,
            GameGuildId, GameGuildMember, GameGuildName, GameMotd, GameRefusal, ImportAccounts, ImportGuilds,
        },
        values::{LINE, Timestamp},
    },
    number_types, text_types,
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    auth::{
        SenderOf,
        game_hash::{GameCosts, GameHash},
    },
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::{JsonBody, bounded_list},
        problem::Problem,
    },
    openapi::Tag,
    state::State,
};

text_types! {
    /// The hash of a password, as the game stores it: 40 hexadecimal digits of SHA-1, or `$salt$hash` of argon2id. The site hashes it
    /// again before it stores it. An account whose hash has another form gets no password.
    GamePasswordHash { 0 ..= 255, LINE, "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8" }
}

number_types! {
    /// The memory of argon2id in KiB.
    ArgonMemory(i32, "int32") { 8 ..= 131_072, 65_536 }
    /// The iterations of argon2id.
    ArgonIterations(i32, "int32") { 1 ..= 8, 2 }
    /// The lanes of argon2id, also called parallelism.
    ArgonLanes(i32, "int32") { 1 ..= 16, 2 }
}

pub(crate) struct GameImport {
    pub state: State,
}

/// Accounts of a game.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameAccounts {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 50>")]
    #[oai(validator(min_items = 1, max_items = 50))]
    accounts: Vec<GameAccountToImport>,
    /// The costs of argon2id in the settings of the game. Missing: 65,536 KiB, 2 iterations, 2 lanes.
    argon2: Option<ArgonCosts>,
}

/// An account of a game.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub(crate) struct GameAccountToImport {
    game_account_id: GameAccountId,
    /// If the site does not allow this name, or another account has it, the account gets a similar one.
    name: GameAccountName,
    /// The account gets none if it is invalid. Several accounts may have the same one.
    email: Option<GameAccountEmail>,
    password_hash: Option<GamePasswordHash>,
    created_at: Option<Timestamp>,
}

/// Guilds of a game.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameGuilds {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 20>")]
    #[oai(validator(min_items = 1, max_items = 20))]
    guilds: Vec<GameGuildToImport>,
}

/// A guild of a game.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub(crate) struct GameGuildToImport {
    game_guild_id: GameGuildId,
    /// If the site does not allow this name, or another guild has it, the guild gets a similar one.
    name: GameGuildName,
    /// The character that leads the guild.
    leader: GameCharacterId,
    /// The site stores the first 255 characters as one line.
    motd: Option<GameMotd>,
    created_at: Option<Timestamp>,
    /// With or without the leader.
    #[serde(deserialize_with = "bounded_list::<_, _, 0, 500>")]
    #[oai(validator(max_items = 500))]
    members: Vec<GameGuildMember>,
}

/// The costs of argon2id.
#[derive(Debug, Clone, Copy, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields)]
pub(crate) struct ArgonCosts {
    memory_kib: ArgonMemory,
    iterations: ArgonIterations,
    lanes: ArgonLanes,
}

impl From<ArgonCosts> for GameCosts {
    fn from(costs: ArgonCosts) -> Self {
        Self {
            memory: costs.memory_kib.get().unsigned_abs(),
            iterations: costs.iterations.get().unsigned_abs(),
            lanes: costs.lanes.get().unsigned_abs(),
        }
    }
}

/// The defaults of Canary (`config.lua.dist`).
const DEFAULT_COSTS: GameCosts = GameCosts { memory: 65_536, iterations: 2, lanes: 2 };

#[OpenApi(tag = "Tag::Game")]
impl GameImport {
    /// Import accounts of the game
    ///
    /// It creates the accounts that were not imported before, and changes no account. An administrator allows this for a day
    /// (`/admin/service-tokens/allow-import`). Players log in with the name and the password that they have in the game. Afterwards, send
    /// the characters with `account_id` to `/game/characters`.
    #[oai(path = "/game/accounts/import", method = "post", operation_id = "game_import_accounts")]
    async fn import(
        &self,
        caller: SenderOf<ImportAccounts>,
        request: CommandRequest,
        body: JsonBody<GameAccounts>,
    ) -> Result<CommandResponse<ImportAccounts>, Problem> {
        let GameAccounts { accounts, argon2 } = body.0;
        let costs = argon2.map_or(DEFAULT_COSTS, GameCosts::from);
        // Hashes take long, so they are made only for a game server that may import, and only once.
        let has_hashes = accounts.iter().any(|account| account.password_hash.is_some());
        let imported =
            if has_hashes { self.imported_before(caller.0.actor, &accounts).await? } else { HashSet::new() };
        let mut command = ImportAccounts { accounts: Vec::with_capacity(accounts.len()) };
        for account in accounts {
            let GameAccountToImport { game_account_id, name, email, password_hash, created_at } = account;
            let is_new = !imported.contains(&*game_account_id);
            let hash = password_hash.filter(|_| is_new).and_then(|hash| GameHash::parse(&hash, costs));
            let password_hash = match hash {
                Some(hash) => Some(self.state.passwords.wrap(hash).await?),
                None => None,
            };
            command.accounts.push(GameAccount { game_account_id, name, email, password_hash, created_at });
        }
        self.state.commands.send(&request, &caller, command).await
    }

    /// Import guilds of the game
    ///
    /// It creates the guilds that were not imported before, with their members, and changes no guild. An administrator allows this for a
    /// day (`/admin/service-tokens/allow-import`). Send the characters first.
    #[oai(path = "/game/guilds/import", method = "post", operation_id = "game_import_guilds")]
    async fn import_guilds(
        &self,
        caller: SenderOf<ImportGuilds>,
        request: CommandRequest,
        body: JsonBody<GameGuilds>,
    ) -> Result<CommandResponse<ImportGuilds>, Problem> {
        let guilds = body.0.guilds.into_iter().map(|guild| {
            let GameGuildToImport { game_guild_id, name, leader, motd, created_at, members } = guild;
            GameGuild { game_guild_id, name, leader, motd, created_at, members }
        });
        self.state.commands.send(&request, &caller, ImportGuilds { guilds: guilds.collect() }).await
    }
}

impl GameImport {
    /// The accounts whose passwords need no hash. A worker checks everything again.
    ///
    /// # Errors
    /// 403 if the game server may not import accounts; 503 when the database does not respond.
    async fn imported_before(
        &self,
        actor: Actor,
        accounts: &[GameAccountToImport],
    ) -> Result<HashSet<String>, Problem> {
        let service_token_id = actor.service_token_id().map(ServiceTokenId::get);
        let ids: Vec<String> = accounts.iter().map(|account| account.game_account_id.to_string()).collect();
        let found = sqlx::query!(
            r#"select array(select game_account_id from imported_accounts where game_account_id = any($2)) as "imported!"
               from service_tokens where service_token_id = $1 and imports_until > now()"#,
            service_token_id,
            &ids,
        );
        let found = found.fetch_optional(&self.state.database).await?;
        let found = found.ok_or_else(|| GameRefusal::ImportNotAllowed.refused())?;
        Ok(found.imported.into_iter().collect())
    }
}

guildhall_common::examples! {
    GameGuilds { "guilds": [{
        "game_guild_id": "world-1:7", "name": "Night Watch", "leader": "world-1:812", "motd": "Winter is coming.",
        "created_at": "2020-01-31T12:00:00Z",
        "members": [{ "game_character_id": "world-1:813", "rank": "member", "nick": "The Wall" }]
    }] }
    GameAccounts { "accounts": [{
        "game_account_id": "world-1:42", "name": "1234567", "email": "mira@example.org",
        "password_hash": "5baa61e4c9b93f3f0682250b6cf8331b7ee68fd8", "created_at": "2020-01-31T12:00:00Z"
    }] }
}
