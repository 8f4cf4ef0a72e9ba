//! Bodies and endpoints for administrators.

mod audit;
mod deliveries;
mod notifications;
mod payments;

use guildhall_common::contract::{
    account::AccountId,
    coins::{AdjustCoins, CoinChange, CoinsAdjusted},
    game::{DeliveryResent, ResendDelivery},
    notification::{NotificationId, NotificationReplayed, ReplayNotification},
    payment::PaymentStatus,
    values::{Limit, Page, Reason},
};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    admin::{
        audit::AuditEntry,
        deliveries::{AdminDelivery, DeliveryState},
        notifications::{NotificationFilter, NotificationState, StoredNotification},
        payments::{AdminPayment, PaymentBooks, PaymentFilter},
    },
    auth::{Admin, RequireRole},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::JsonBody,
        problem::Problem,
        read_response::{ListPage, ReadResponse, default_limit, first_page},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct Administration {
    pub state: State,
}

/// Which notification to look into again.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ReplayedNotification {
    notification_id: NotificationId,
}

/// Which delivery to hand out again, and why.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct ResentDelivery {
    delivery_id: Uuid,
    reason: Reason,
}

/// Coins to give to an account, or to take from it.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct CoinAdjustment {
    account_id: AccountId,
    /// Below zero to take.
    coins: CoinChange,
    reason: Reason,
}

#[OpenApi(tag = "Tag::Administration")]
impl Administration {
    /// List all payments, the newest first
    ///
    /// Whose they are, what was asked for, and how they stand.
    #[oai(path = "/admin/payments", method = "get", operation_id = "admin_payments")]
    async fn payments(
        &self,
        _caller: RequireRole<Admin>,
        status: Query<Option<PaymentStatus>>,
        account_id: Query<Option<AccountId>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<AdminPayment>>, Problem> {
        let account_id = account_id.0.map(AccountId::get);
        PaymentFilter { payment_id: None, status: status.0, account_id }
            .page(&self.state, page.0, limit.0)
            .await
    }

    /// Show a payment with its books
    ///
    /// Every receipt, refund and movement of coins that belongs to it.
    #[oai(path = "/admin/payments/:id", method = "get", operation_id = "admin_payment")]
    async fn payment(
        &self,
        _caller: RequireRole<Admin>,
        id: Path<Uuid>,
    ) -> Result<ReadResponse<PaymentBooks>, Problem> {
        PaymentFilter { payment_id: Some(id.0), status: None, account_id: None }.books(&self.state).await
    }

    /// List what providers have told, the newest first
    ///
    /// As the banks sent them; what could not be used is parked, with the reason.
    #[oai(path = "/admin/notifications", method = "get", operation_id = "admin_notifications")]
    async fn notifications(
        &self,
        _caller: RequireRole<Admin>,
        state: Query<Option<NotificationState>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<StoredNotification>>, Problem> {
        NotificationFilter { state: state.0, reference: None }.page(&self.state, page.0, limit.0).await
    }

    /// Look into a notification again
    ///
    /// Once its cause is mended. What it tells of is credited once, however often it is replayed.
    #[oai(path = "/admin/notifications/replay", method = "post", operation_id = "admin_replay_notification")]
    async fn replay(
        &self,
        caller: RequireRole<Admin>,
        call: CommandRequest,
        body: JsonBody<ReplayedNotification>,
    ) -> Result<CommandResponse<NotificationReplayed>, Problem> {
        let command = ReplayNotification { notification_id: body.notification_id };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// List all deliveries, the newest first
    ///
    /// With what the game said of those that it could not hand out.
    #[oai(path = "/admin/deliveries", method = "get", operation_id = "admin_deliveries")]
    async fn deliveries(
        &self,
        _caller: RequireRole<Admin>,
        state: Query<Option<DeliveryState>>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<AdminDelivery>>, Problem> {
        deliveries::deliveries(&self.state, state.0, page.0, limit.0).await
    }

    /// Hand a delivery out again
    ///
    /// Whatever became of it. Its id stays the same: a game that has given it can tell.
    #[oai(path = "/admin/deliveries/resend", method = "post", operation_id = "admin_resend_delivery")]
    async fn resend(
        &self,
        caller: RequireRole<Admin>,
        call: CommandRequest,
        body: JsonBody<ResentDelivery>,
    ) -> Result<CommandResponse<DeliveryResent>, Problem> {
        let ResentDelivery { delivery_id, reason } = body.0;
        self.state.commands.send(&call, caller.0.actor, ResendDelivery { delivery_id, reason }).await
    }

    /// Give or take coins
    ///
    /// Gives (or takes, below zero) coins by hand, with the reason that is written into the audit log.
    #[oai(path = "/admin/coins/adjust", method = "post", operation_id = "admin_adjust_coins")]
    async fn adjust(
        &self,
        caller: RequireRole<Admin>,
        call: CommandRequest,
        body: JsonBody<CoinAdjustment>,
    ) -> Result<CommandResponse<CoinsAdjusted>, Problem> {
        let CoinAdjustment { account_id, coins, reason } = body.0;
        self.state.commands.send(&call, caller.0.actor, AdjustCoins { account_id, coins, reason }).await
    }

    /// List what administrators and operators did, the newest first
    ///
    /// Coins adjusted, payments refunded, notifications and deliveries sent round again: by whom, when and why.
    #[oai(path = "/admin/audit", method = "get", operation_id = "admin_audit")]
    async fn audit(
        &self,
        _caller: RequireRole<Admin>,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<AuditEntry>>, Problem> {
        audit::entries(&self.state, page.0, limit.0).await
    }
}

/// The name by which the database knows a word of the API.
fn stored(word: Option<impl Serialize>) -> Option<String> {
    serde_json::to_value(word?).ok()?.as_str().map(ToOwned::to_owned)
}

guildhall_common::examples! {
    ReplayedNotification { "notification_id": 7 }
    ResentDelivery { "delivery_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "reason": "The server lost a day." }
    CoinAdjustment { "account_id": 3, "coins": 100, "reason": "Won the contest." }
}
