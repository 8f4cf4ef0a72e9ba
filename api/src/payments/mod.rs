//! Bodies and endpoints of payments.

mod live;
mod picture;
mod read;
mod signature;
mod webhook;

use guildhall_common::{
    contract::{
        coins::{CoinCount, PackageId},
        command::Actor,
        payment::{
            CancelPayment, CreatePayment, PaymentCancelled, PaymentCreated, PaymentRefunded, PurchaseTarget,
            RefundPayment,
        },
        values::{Limit, Page, Reason},
    },
    money::Money,
    payment_codes::Scheme,
};
use poem_openapi::{
    Object, OpenApi,
    param::{Path, Query},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub(crate) use crate::payments::{live::Streams, read::known, webhook::Webhooks};
use crate::{
    auth::{Admin, Player, RequireRole},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        json::JsonBody,
        problem::Problem,
        read_response::{ListPage, ReadResponse, default_limit, first_page},
    },
    openapi::Tag,
    payments::{
        live::Changes,
        picture::{Picture, Png, Svg},
        read::{CoinPackage, PaymentState},
        webhook::{VerifiedSender, WebhookBody},
    },
    state::State,
};

pub(crate) struct Payments {
    pub state: State,
}

/// What to buy: `package_id` or `coins`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPayment {
    package_id: Option<PackageId>,
    coins: Option<CoinCount>,
    /// How to pay; missing: by the scheme of the package's currency, or the site's usual one.
    scheme: Option<Scheme>,
}

/// What to send back.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewRefund {
    /// Missing: all that is left.
    amount: Option<Money>,
    reason: Reason,
}

/// A notification is on disk and will be looked into.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct NotificationKept {
    /// How many transfers it told of; 0 for a trial.
    kept: u32,
}

#[OpenApi(tag = "Tag::Payments")]
impl Payments {
    /// List the coin packages
    ///
    /// What `package_id` may be, with the price of each.
    #[oai(path = "/payments/packages", method = "get", operation_id = "payment_packages")]
    async fn packages(
        &self,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
    ) -> Result<ReadResponse<ListPage<CoinPackage>>, Problem> {
        read::packages(&self.state, page.0, limit.0).await
    }

    /// Ask for a payment
    ///
    /// Answers what to show to the player: a QR code that a bank app pays. When the provider is slow the answer is
    /// 202, and the operation has the QR code later. The payment's id is the operation's.
    #[oai(path = "/payments/instant/qrcode", method = "post", operation_id = "payment_create")]
    async fn create(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        body: JsonBody<NewPayment>,
    ) -> Result<CommandResponse<PaymentCreated, 201>, Problem> {
        let wanted = match (body.package_id, body.coins) {
            (Some(id), None) => PurchaseTarget::Package(id),
            (None, Some(coins)) => PurchaseTarget::Coins(coins),
            _ => return Err(Problem::invalid("/package_id", "give either package_id or coins")),
        };
        let command = CreatePayment { target: wanted, scheme: body.scheme };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Find a payment
    ///
    /// The caller's own, as it is now.
    #[oai(path = "/payments/:id", method = "get", operation_id = "payment_find")]
    async fn find(
        &self,
        caller: RequireRole<Player>,
        id: Path<Uuid>,
    ) -> Result<ReadResponse<PaymentState>, Problem> {
        ReadResponse::private(&read::payment_for(&self.state, &caller.0, id.0).await?)
    }

    /// Draw a payment's QR code as PNG
    ///
    /// For a page to show, 8 pixels to a module. For the payment's owner.
    #[oai(path = "/payments/:id/qrcode.png", method = "get", operation_id = "payment_qrcode_png")]
    async fn png(&self, caller: RequireRole<Player>, id: Path<Uuid>) -> Result<Picture<Png>, Problem> {
        Picture::of(read::payment_for(&self.state, &caller.0, id.0).await?.payload)
    }

    /// Draw a payment's QR code as SVG
    ///
    /// As sharp as the screen that shows it. For the payment's owner.
    #[oai(path = "/payments/:id/qrcode.svg", method = "get", operation_id = "payment_qrcode_svg")]
    async fn svg(&self, caller: RequireRole<Player>, id: Path<Uuid>) -> Result<Picture<Svg>, Problem> {
        Picture::of(read::payment_for(&self.state, &caller.0, id.0).await?.payload)
    }

    /// Follow a payment
    ///
    /// Server-sent events, named by the status: the payment as it is, and again whenever it has changed.
    #[oai(path = "/payments/:id/events", method = "get", operation_id = "payment_events")]
    async fn events(&self, caller: RequireRole<Player>, id: Path<Uuid>) -> Result<Changes, Problem> {
        live::stream(&self.state, caller.0, id.0).await
    }

    /// Cancel a payment
    ///
    /// One that nobody has paid. Should money come all the same, it counts.
    #[oai(path = "/payments/:id/cancel", method = "post", operation_id = "payment_cancel")]
    async fn cancel(
        &self,
        caller: RequireRole<Player>,
        call: CommandRequest,
        id: Path<Uuid>,
    ) -> Result<CommandResponse<PaymentCancelled>, Problem> {
        self.state.commands.send(&call, caller.0.actor, CancelPayment { payment_id: id.0 }).await
    }

    /// Send money back
    ///
    /// The coins are taken at once, and come back if the refund fails. What was spent of them is owed.
    #[oai(path = "/payments/:id/refund", method = "post", operation_id = "payment_refund")]
    async fn refund(
        &self,
        caller: RequireRole<Admin>,
        call: CommandRequest,
        id: Path<Uuid>,
        body: JsonBody<NewRefund>,
    ) -> Result<CommandResponse<PaymentRefunded>, Problem> {
        let NewRefund { amount, reason } = body.0;
        let command = RefundPayment { payment_id: id.0, amount, reason };
        self.state.commands.send(&call, caller.0.actor, command).await
    }

    /// Take a notification
    ///
    /// From a bank (API Pix), or from whoever signs by Standard Webhooks. It is answered as soon as it is on disk.
    #[oai(path = "/payments/instant/webhook", method = "post", operation_id = "payment_webhook")]
    async fn webhook(
        &self,
        call: CommandRequest,
        told: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationKept>, Problem> {
        self.take(&call, told, body).await
    }

    /// Take a notification of Pix
    ///
    /// The same: banks append `/pix` to the address that they are given.
    #[oai(path = "/payments/instant/webhook/pix", method = "post", operation_id = "payment_webhook_pix")]
    async fn webhook_pix(
        &self,
        call: CommandRequest,
        told: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationKept>, Problem> {
        self.take(&call, told, body).await
    }
}

impl Payments {
    async fn take(
        &self,
        call: &CommandRequest,
        told: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationKept>, Problem> {
        let Some(notify) = told.notify(&body)? else {
            return ReadResponse::secret(&NotificationKept { kept: 0 });
        };
        let kept = u32::try_from(notify.notifications.len()).unwrap_or(u32::MAX);
        self.state.commands.enqueue(call, Actor::Nobody, notify).await?;
        ReadResponse::secret(&NotificationKept { kept })
    }
}

guildhall_common::examples! {
    NewPayment { "package_id": 1 }
    NotificationKept { "kept": 1 }
    NewRefund { "amount": { "amount": "25.00", "currency": "BRL" }, "reason": "Bought by a child." }
}
