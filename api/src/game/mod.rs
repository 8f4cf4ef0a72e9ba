//! Bodies and endpoints for game servers.

mod deliveries;

use guildhall_common::contract::game::{
    AcknowledgeDeliveries, CharactersUpserted, DeliveriesAcknowledged, DeliveriesLeased, DeliveriesRefused,
    GameCharacter, LeaseDeliveries, LeaseLimit, LeaseSeconds, LeaseWait, RefuseDeliveries, RefusedDelivery,
    UpsertCharacters,
};
use poem_openapi::{Object, OpenApi, param::Query};
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    auth::{Game, RequireRole},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::{JsonBody, bounded_list},
        problem::Problem,
        read_response::ReadResponse,
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Games {
    pub state: State,
}

/// Characters as the game knows them.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GameCharacters {
    /// Of a character that is named twice the last counts.
    #[serde(deserialize_with = "bounded_list::<_, _, 0, 1000>")]
    #[oai(validator(max_items = 1000))]
    characters: Vec<GameCharacter>,
}

/// What the game has given.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct GivenDeliveries {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    delivery_ids: Vec<Uuid>,
}

/// What the game could not give.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveriesNotGiven {
    #[serde(deserialize_with = "bounded_list::<_, _, 1, 100>")]
    #[oai(validator(min_items = 1, max_items = 100))]
    deliveries: Vec<RefusedDelivery>,
}

fn twenty() -> LeaseLimit {
    LeaseLimit::try_from(20).expect("20 is within the bounds")
}

fn no_time() -> LeaseWait {
    LeaseWait::try_from(0).expect("0 is within the bounds")
}

fn a_minute() -> LeaseSeconds {
    LeaseSeconds::try_from(60).expect("60 is within the bounds")
}

#[OpenApi(tag = "Tag::Game")]
impl Games {
    /// Bring characters up to date
    ///
    /// Level, vocation and presence of characters, by their names; of the new ones also the account.
    #[oai(path = "/game/characters", method = "put", operation_id = "game_upsert_characters")]
    async fn upsert(
        &self,
        caller: RequireRole<Game>,
        call: CommandRequest,
        body: JsonBody<GameCharacters>,
    ) -> Result<CommandResponse<CharactersUpserted>, Problem> {
        let command = UpsertCharacters { characters: body.0.characters };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Fetch what players have bought
    ///
    /// What is answered is leased: nobody else is given it for `lease` seconds. Acknowledge what was given to its
    /// character; what is neither acknowledged nor refused comes again. With `wait`, an empty answer comes only after
    /// that many seconds.
    #[oai(path = "/game/deliveries", method = "get", operation_id = "game_lease_deliveries")]
    async fn lease(
        &self,
        caller: RequireRole<Game>,
        call: CommandRequest,
        #[oai(default = "twenty")] limit: Query<LeaseLimit>,
        #[oai(default = "no_time")] wait: Query<LeaseWait>,
        #[oai(default = "a_minute")] lease: Query<LeaseSeconds>,
    ) -> Result<ReadResponse<DeliveriesLeased>, Problem> {
        let command = || LeaseDeliveries { limit: limit.0, lease: lease.0 };
        ReadResponse::secret(&deliveries::lease(&self.state, &call, caller.0.actor, command, wait.0).await?)
    }

    /// Say what was given
    ///
    /// Also after the lease: the game has given it, so it counts. Repeating it changes nothing.
    #[oai(path = "/game/deliveries/ack", method = "post", operation_id = "game_acknowledge_deliveries")]
    async fn acknowledge(
        &self,
        caller: RequireRole<Game>,
        call: CommandRequest,
        body: JsonBody<GivenDeliveries>,
    ) -> Result<CommandResponse<DeliveriesAcknowledged>, Problem> {
        let command = AcknowledgeDeliveries { delivery_ids: body.0.delivery_ids };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Say what could not be given, and why
    ///
    /// It comes again after a pause, and is parked when it was tried too often.
    #[oai(path = "/game/deliveries/nack", method = "post", operation_id = "game_refuse_deliveries")]
    async fn refuse(
        &self,
        caller: RequireRole<Game>,
        call: CommandRequest,
        body: JsonBody<DeliveriesNotGiven>,
    ) -> Result<CommandResponse<DeliveriesRefused>, Problem> {
        let command = RefuseDeliveries { deliveries: body.0.deliveries };
        self.state.commands.send(&call, caller.0.actor, command).await
    }
}

guildhall_common::examples! {
    GivenDeliveries { "delivery_ids": ["0192f0c1-2a3b-7c4d-8e5f-60718293a4b5"] }
    DeliveriesNotGiven {
        "deliveries": [{ "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The depot is full." }]
    }
    GameCharacters {
        "characters": [
            { "name": "Mira Stormborn", "level": 60, "vocation": "Elder Druid", "online": true, "account_id": 3 }
        ]
    }
}
