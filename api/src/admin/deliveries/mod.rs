//! The endpoints of deliveries for administrators, and the bodies of their requests.

mod view;

use guildhall_common::contract::{
    account::AccountId,
    character::{CharacterId, CharacterName},
    game::{DiscardDelivery, ResendDeliveries, ResendDelivery, ResendStatus},
    shop::{DeliveryId, OfferId, PurchaseId},
    values::{Limit, Page, Reason, Timestamp},
};
use poem_openapi::{Object, OpenApi};
use serde::Deserialize;

use crate::{
    admin::deliveries::view::{AdminDelivery, AdminDeliveryStatus, DeliveryFilter},
    auth::{Admin, RequireRole, SenderOf},
    http::{
        character_ref::character_ref,
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::{Paging, default_limit, first_page},
        parameters::Query,
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct DeliveryAdministration {
    pub state: State,
}

/// The delivery to resend, and the reason.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveryToResend {
    delivery_id: DeliveryId,
    reason: Reason,
}

/// The delivery to discard, and the reason. The buyer reads it.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveryToDiscard {
    delivery_id: DeliveryId,
    reason: Reason,
    /// Whether the buyer gets the coins back: the price of the delivery when it was bought.
    #[serde(default)]
    #[oai(default)]
    return_coins: bool,
}

/// The deliveries to resend: those that were parked or delivered from `since` to `until`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct DeliveriesToResend {
    /// `state`, its old name, is accepted until 1.0.
    #[serde(alias = "state")]
    status: ResendStatus,
    since: Timestamp,
    /// Not in the future.
    until: Timestamp,
    /// Only deliveries of this offer.
    offer_id: Option<OfferId>,
    /// Only deliveries to this character.
    character_id: Option<CharacterId>,
    character_name: Option<CharacterName>,
    reason: Reason,
}

#[OpenApi(tag = "Tag::Administration")]
impl DeliveryAdministration {
    /// List all deliveries, newest first
    ///
    /// Each delivery has the last error that a game server reported. `account_id` selects the purchases of an account, `character`
    /// the deliveries for the character with this name. They cannot be combined.
    #[expect(clippy::too_many_arguments, reason = "each parameter of the request is an argument")]
    #[oai(path = "/admin/deliveries", method = "get", operation_id = "admin_deliveries")]
    async fn deliveries(
        &self,
        _caller: RequireRole<Admin>,
        status: Query<Option<AdminDeliveryStatus>>,
        /// The old name of `status`, until 1.0.
        #[oai(deprecated)]
        state: Query<Option<AdminDeliveryStatus>>,
        account_id: Query<Option<AccountId>>,
        character: Query<Option<CharacterName>>,
        purchase_id: Query<Option<PurchaseId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<AdminDelivery>>, Problem> {
        let database = &self.state.database;
        let status = status.0.or(state.0);
        let filter = DeliveryFilter::find(database, status, account_id.0, character.0, purchase_id.0).await?;
        self.state.lists.private_page(&filter, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Resend a delivery
    ///
    /// This is possible with any status. The id stays the same, so a game server can detect a repeated delivery.
    #[oai(path = "/admin/deliveries/resend", method = "post", operation_id = "admin_resend_delivery")]
    async fn resend(
        &self,
        caller: SenderOf<ResendDelivery>,
        request: CommandRequest,
        body: JsonBody<DeliveryToResend>,
    ) -> Result<CommandResponse<ResendDelivery>, Problem> {
        let DeliveryToResend { delivery_id, reason } = body.0;
        self.state.commands.send(&request, &caller, ResendDelivery { delivery_id, reason }).await
    }

    /// Resend many deliveries
    ///
    /// Resends up to 1000 deliveries that were parked or delivered in a period. Send it again while `more` is true. Each id
    /// stays the same, so a game server can detect a repeated delivery.
    #[oai(path = "/admin/deliveries/resend-many", method = "post", operation_id = "admin_resend_deliveries")]
    async fn resend_many(
        &self,
        caller: SenderOf<ResendDeliveries>,
        request: CommandRequest,
        body: JsonBody<DeliveriesToResend>,
    ) -> Result<CommandResponse<ResendDeliveries>, Problem> {
        let DeliveriesToResend { status, since, until, offer_id, character_id, character_name, reason } =
            body.0;
        let character = match (character_id, character_name) {
            (None, None) => None,
            (id, name) => Some(character_ref(id, name)?),
        };
        let command =
            ResendDeliveries { state: status, since: since.0, until: until.0, offer_id, character, reason };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Discard a delivery
    ///
    /// For a delivery that must not be made: the game cannot deliver it, or its character is deleted. It must be open or parked. Its
    /// pieces are on sale again, and do not count for the limit of the account. It stays in the list as `discarded`. A game server that
    /// has leased it may still deliver it, and an acknowledgement counts. `/admin/deliveries/resend` can make it due again, unless the
    /// coins were returned.
    #[oai(path = "/admin/deliveries/discard", method = "post", operation_id = "admin_discard_delivery")]
    async fn discard(
        &self,
        caller: SenderOf<DiscardDelivery>,
        request: CommandRequest,
        body: JsonBody<DeliveryToDiscard>,
    ) -> Result<CommandResponse<DiscardDelivery>, Problem> {
        let DeliveryToDiscard { delivery_id, reason, return_coins } = body.0;
        let command = DiscardDelivery { delivery_id, reason, return_coins };
        self.state.commands.send(&request, &caller, command).await
    }
}

guildhall_common::examples! {
    DeliveryToResend { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The game server restored an older backup." }
    DeliveryToDiscard { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The coins were given back." }
    DeliveriesToResend {
        "status": "parked", "since": "2026-01-31T12:00:00Z", "until": "2026-02-01T12:00:00Z", "offer_id": 4,
        "reason": "The game server refused them by mistake."
    }
}
