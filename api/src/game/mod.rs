//! The endpoints for game servers, and the bodies of their requests.

mod changes;
mod deliveries;
mod feed;
mod import;
mod long_poll;
mod snapshot;
mod states;

use guildhall_common::contract::{
    account::LinkCode,
    game::{
        AcknowledgeDeliveries, DeleteGameCharacters, DeliveriesLeased, GameCharacter, GameCharacterId,
        LeaseDeliveries, LeaseLimit, LeaseSeconds, LeaseWait, RefuseDeliveries, RefusedDelivery,
        ReportDeaths, ReportedDeath, SnapshotId, UpsertCharacters, UseLinkCode, World,
    },
    secret_hash::hash_secret,
    shop::DeliveryId,
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

pub(crate) use self::{feed::GameFeed, import::GameImport};
use crate::{
    auth::SenderOf,
    game::long_poll::no_wait,
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::{JsonBody, bounded_list},
        parameters::Query,
        problem::Problem,
        read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Games {
    pub state: State,
}

/// Characters as the game server knows them.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameCharacters {
    /// If a name occurs twice, the last one is used.
    #[serde(deserialize_with = "bounded_list::<_, _, 0, 1000>")]
    #[oai(validator(max_items = 1000))]
    characters: Vec<GameCharacter>,
    /// The id of a snapshot: all online characters of the game server. It may have several parts, each in a request of its own.
    snapshot_id: Option<SnapshotId>,
    /// Whether this is the last part of the snapshot. Characters of this game server that are in no part become offline, except those
    /// that it has reported as online between the parts.
    #[serde(default)]
    #[oai(default)]
    last_part: bool,
    /// The world that all these characters are in, for a game with several worlds.
    world: Option<World>,
}

/// Characters that the game has deleted.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameCharactersToDelete {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    game_character_ids: Vec<GameCharacterId>,
}

/// The link code that a player has typed in the game.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct TypedLinkCode {
    code: LinkCode,
}

/// Deaths of characters.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameDeaths {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    deaths: Vec<ReportedDeath>,
}

/// Deliveries that the game server has given to their characters.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveriesToAcknowledge {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    delivery_ids: Vec<DeliveryId>,
}

/// Deliveries that the game server could not give.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveriesToRefuse {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    deliveries: Vec<RefusedDelivery>,
}

fn default_lease_limit() -> LeaseLimit {
    LeaseLimit::try_from(20).expect("20 is a valid limit")
}

fn one_minute() -> LeaseSeconds {
    LeaseSeconds::try_from(60).expect("60 is a valid lease")
}

#[OpenApi(tag = "Tag::Game")]
impl Games {
    /// Create and update characters
    ///
    /// `game_character_id` identifies a character; without it, the name does. `account_id` names its owner. If a player has created a
    /// character with this name on the site, and it belongs to another account in the game, the site renames the player's character.
    /// If the name belonged to a character with another `game_character_id`, the site renames that one.
    /// Characters count as online until five minutes after the last request of the game server.
    #[oai(path = "/game/characters", method = "put", operation_id = "game_upsert_characters")]
    async fn upsert(
        &self,
        caller: SenderOf<UpsertCharacters>,
        request: CommandRequest,
        body: JsonBody<GameCharacters>,
    ) -> Result<CommandResponse<UpsertCharacters>, Problem> {
        let GameCharacters { characters, snapshot_id, last_part, world } = body.0;
        let command = UpsertCharacters { characters, snapshot_id, last_part, world };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Delete characters that the game has deleted
    ///
    /// They leave their guilds, their open deliveries are parked, and their names can be used by others.
    #[oai(path = "/game/characters/delete", method = "post", operation_id = "game_delete_characters")]
    async fn delete_characters(
        &self,
        caller: SenderOf<DeleteGameCharacters>,
        request: CommandRequest,
        body: JsonBody<GameCharactersToDelete>,
    ) -> Result<CommandResponse<DeleteGameCharacters>, Problem> {
        let command = DeleteGameCharacters { game_character_ids: body.0.game_character_ids };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Use a link code
    ///
    /// A player has typed the code of `/accounts/link-code` in the game. Returns the account of the player: store it, and send it with
    /// the characters of this player. A code is valid once.
    #[oai(path = "/game/use-link-code", method = "post", operation_id = "game_use_link_code")]
    async fn use_link_code(
        &self,
        caller: SenderOf<UseLinkCode>,
        request: CommandRequest,
        body: JsonBody<TypedLinkCode>,
    ) -> Result<CommandResponse<UseLinkCode>, Problem> {
        let command = UseLinkCode { code_hash: hash_secret(body.0.code.normalized()) };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Report deaths of characters
    ///
    /// A death is stored once for each `character_name` and `death_id`, however often it is sent. A repeated one changes nothing.
    /// Report the characters first.
    #[oai(path = "/game/deaths", method = "post", operation_id = "game_report_deaths")]
    async fn report_deaths(
        &self,
        caller: SenderOf<ReportDeaths>,
        request: CommandRequest,
        body: JsonBody<GameDeaths>,
    ) -> Result<CommandResponse<ReportDeaths>, Problem> {
        let command = ReportDeaths { deaths: body.0.deaths };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Lease deliveries
    ///
    /// A lease lasts `lease` seconds. During this time no other game server gets the delivery. Give the items to the
    /// character, then acknowledge the delivery. A delivery that is neither acknowledged nor refused is due again when
    /// its lease expires, and later after each further lease. If nothing is due, the server waits up to `wait` seconds before it responds.
    #[expect(clippy::too_many_arguments, reason = "each parameter of the request is an argument")]
    #[oai(path = "/game/deliveries", method = "get", operation_id = "game_lease_deliveries")]
    async fn lease(
        &self,
        caller: SenderOf<LeaseDeliveries>,
        request: CommandRequest,
        #[oai(default = "default_lease_limit")] limit: Query<LeaseLimit>,
        #[oai(default = "no_wait")] wait: Query<LeaseWait>,
        #[oai(default = "one_minute")] lease: Query<LeaseSeconds>,
        /// Whether to lease only deliveries of characters that are online.
        #[oai(default)]
        online: Query<bool>,
        /// Whether to lease only deliveries of characters in this world. A character of which no world is known counts as one of each.
        world: Query<Option<World>>,
    ) -> Result<ReadResponse<DeliveriesLeased, LeaseDeliveries>, Problem> {
        let command = || LeaseDeliveries {
            limit: limit.0,
            lease: lease.0,
            online: online.0,
            world: world.0.clone(),
            deadline: None,
        };
        ReadResponse::secret(
            &deliveries::lease(&self.state, &request, caller.0.actor, command, wait.0).await?,
        )
    }

    /// Acknowledge deliveries
    ///
    /// Send this when the character has the items, even if the lease has expired. A repeated request changes nothing.
    #[oai(path = "/game/deliveries/ack", method = "post", operation_id = "game_acknowledge_deliveries")]
    async fn acknowledge(
        &self,
        caller: SenderOf<AcknowledgeDeliveries>,
        request: CommandRequest,
        body: JsonBody<DeliveriesToAcknowledge>,
    ) -> Result<CommandResponse<AcknowledgeDeliveries>, Problem> {
        let command = AcknowledgeDeliveries { delivery_ids: body.0.delivery_ids };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Refuse deliveries
    ///
    /// Each has a reason. It is due again after a delay. After too many refusals it is parked. A temporary refusal does not count, and
    /// its delay is a minute.
    #[oai(path = "/game/deliveries/nack", method = "post", operation_id = "game_refuse_deliveries")]
    async fn refuse(
        &self,
        caller: SenderOf<RefuseDeliveries>,
        request: CommandRequest,
        body: JsonBody<DeliveriesToRefuse>,
    ) -> Result<CommandResponse<RefuseDeliveries>, Problem> {
        let command = RefuseDeliveries { deliveries: body.0.deliveries };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    DeliveriesToAcknowledge { "delivery_ids": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"] }
    DeliveriesToRefuse {
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The depot is full." }]
    }
    TypedLinkCode { "code": "k7qf 3mpx" }
    GameDeaths {
        "deaths": [
            {
                "death_id": "world-1:5021", "character_name": "Mira Stormborn", "died_at": "2030-01-31T12:00:00Z",
                "level": 60, "killed_by": "a dragon lord", "killer_is_player": false
            }
        ]
    }
    GameCharactersToDelete { "game_character_ids": ["world-1:812"] }
    GameCharacters {
        "characters": [
            {
                "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true, "account_id": 3,
                "game_character_id": "world-1:812"
            }
        ]
    }
}
