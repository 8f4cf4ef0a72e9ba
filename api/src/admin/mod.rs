//! The endpoints for administrators, and the bodies of their requests.

mod account_search;
mod accounts;
mod audit;
mod dead_letters;
mod deliveries;
mod game_servers;
mod health;
mod mails;
mod notifications;
mod payment_details;
mod payments;
mod price_list;
mod service_tokens;

use guildhall_common::contract::{
    account::AccountId,
    character::{CharacterId, CharacterName},
    coins::CoinChange,
    game::{DiscardDelivery, ResendDeliveries, ResendDelivery, ResendState},
    payment::{AdjustCoins, PaymentId, PaymentStatus},
    shop::{DeliveryId, OfferId, PurchaseId},
    values::{Limit, Page, Reason, Timestamp},
};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};
use serde::Deserialize;

use crate::{
    account::character_ref::character_ref,
    admin::{
        accounts::AccountAdministration,
        audit::AuditLog,
        dead_letters::DeadLetters,
        deliveries::{AdminDelivery, DeliveryFilter, DeliveryState},
        game_servers::{GameServer, GameServerList},
        health::Health,
        mails::MailAdministration,
        notifications::Notifications,
        payment_details::{PaymentDetails, payment_details},
        payments::{AdminPayment, PaymentFilter},
        price_list::PriceList,
        service_tokens::ServiceTokens,
    },
    auth::{Admin, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        list,
        paging::{Paging, default_limit, first_page},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::{Documented, Tag},
    state::State,
};

pub(crate) type Apis = (
    Documented<Administration>,
    Documented<MailAdministration>,
    Documented<AccountAdministration>,
    Documented<AuditLog>,
    Documented<DeadLetters>,
    Documented<ServiceTokens>,
    Documented<PriceList>,
    Documented<Notifications>,
    Documented<Health>,
);

pub(crate) fn apis(state: &State) -> Apis {
    (
        Documented(Administration { state: state.clone() }),
        Documented(MailAdministration { state: state.clone() }),
        Documented(AccountAdministration { state: state.clone() }),
        Documented(AuditLog { state: state.clone() }),
        Documented(DeadLetters { state: state.clone() }),
        Documented(ServiceTokens { state: state.clone() }),
        Documented(PriceList { state: state.clone() }),
        Documented(Notifications { state: state.clone() }),
        Documented(Health { state: state.clone() }),
    )
}

pub(crate) struct Administration {
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
    state: ResendState,
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

/// Coins to add to an account or to remove from it.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CoinAdjustment {
    account_id: AccountId,
    /// A negative number removes coins.
    coins: CoinChange,
    reason: Reason,
}

#[OpenApi(tag = "Tag::Administration")]
impl Administration {
    /// List all payments, newest first
    ///
    /// Each payment has its account, amount and status. With `status` created, pending or expired they are sorted by expiry, latest
    /// first.
    #[oai(path = "/admin/payments", method = "get", operation_id = "admin_payments")]
    async fn payments(
        &self,
        _caller: RequireRole<Admin>,
        status: Query<Option<PaymentStatus>>,
        account_id: Query<Option<AccountId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<AdminPayment>>, Problem> {
        let filter = PaymentFilter { payment_id: None, status: status.0, account_id: account_id.0 };
        list::private_page(&self.state.database, &filter, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Get a payment with its receipts, refunds and coin transfers
    ///
    /// The response also has the notifications about the payment.
    #[oai(path = "/admin/payments/:id", method = "get", operation_id = "admin_payment")]
    async fn payment(
        &self,
        _caller: RequireRole<Admin>,
        id: Path<PaymentId>,
    ) -> Result<ReadResponse<PaymentDetails>, Problem> {
        ReadResponse::private(&payment_details(&self.state.database, id.0).await?)
    }

    /// List all deliveries, newest first
    ///
    /// Each delivery has the last error that a game server reported. `account_id` selects the purchases of an account, `character`
    /// the deliveries for the character with this name. They cannot be combined.
    #[expect(clippy::too_many_arguments, reason = "each parameter of the request is an argument")]
    #[oai(path = "/admin/deliveries", method = "get", operation_id = "admin_deliveries")]
    async fn deliveries(
        &self,
        _caller: RequireRole<Admin>,
        state: Query<Option<DeliveryState>>,
        account_id: Query<Option<AccountId>>,
        character: Query<Option<CharacterName>>,
        purchase_id: Query<Option<PurchaseId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<AdminDelivery>>, Problem> {
        let database = &self.state.database;
        let filter =
            DeliveryFilter::find(database, state.0, account_id.0, character.0, purchase_id.0).await?;
        list::private_page(database, &filter, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Resend a delivery
    ///
    /// This is possible in any state. The id stays the same, so a game server can detect a repeated delivery.
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
        let DeliveriesToResend { state, since, until, offer_id, character_id, character_name, reason } =
            body.0;
        let character = match (character_id, character_name) {
            (None, None) => None,
            (id, name) => Some(character_ref(id, name)?),
        };
        let command = ResendDeliveries { state, since: since.0, until: until.0, offer_id, character, reason };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Discard a delivery
    ///
    /// For one that nobody should get any more: the game cannot deliver it, or its character is deleted. It must be open or parked. Its
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

    /// List the game servers
    ///
    /// Each service token has the state of its game server: its presence, and whether it answers deliveries.
    #[oai(path = "/admin/game-servers", method = "get", operation_id = "admin_game_servers")]
    async fn game_servers(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<GameServer>>, Problem> {
        list::private_page(&self.state.database, &GameServerList, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Adjust the coins of an account
    ///
    /// Adds coins, or removes them if the number is negative. The reason is stored in the audit log, and the player reads it.
    #[oai(path = "/admin/coins/adjust", method = "post", operation_id = "admin_adjust_coins")]
    async fn adjust(
        &self,
        caller: SenderOf<AdjustCoins>,
        request: CommandRequest,
        body: JsonBody<CoinAdjustment>,
    ) -> Result<CommandResponse<AdjustCoins>, Problem> {
        let CoinAdjustment { account_id, coins, reason } = body.0;
        self.state.commands.send(&request, &caller, AdjustCoins { account_id, coins, reason }).await
    }
}

guildhall_common::examples! {
    DeliveryToResend { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The game server restored an older backup." }
    DeliveryToDiscard { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The coins were given back." }
    DeliveriesToResend {
        "state": "parked", "since": "2026-01-31T12:00:00Z", "until": "2026-02-01T12:00:00Z", "offer_id": 4,
        "reason": "The game server refused them by mistake."
    }
    CoinAdjustment { "account_id": 3, "coins": 100, "reason": "Won the contest." }
}
