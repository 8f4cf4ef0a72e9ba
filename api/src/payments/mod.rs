//! The endpoints of payments, and the bodies of their requests.

mod image;
mod live;
mod packages;
mod payment_state;
mod webhook;

use guildhall_common::{
    contract::{
        coins::{CoinCount, PackageId},
        command::Actor,
        payment::{
            CancelPayment, CreatePayment, PaymentId, PurchaseTarget, RefundPayment, StoreNotifications,
        },
        values::{Limit, Page, Reason},
    },
    money::Money,
    payment_codes::Scheme,
};
use poem::web::Data;
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    auth::{Player, RequireRole, SenderOf},
    http::{
        client_address::ClientAddress,
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::{JsonBody, positive_money},
        paging::{Paging, default_limit, first_page},
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    payments::{
        image::{Image, QrPng, QrSvg},
        live::Changes,
        packages::{CoinPackage, PackageList},
        payment_state::{PaymentList, PaymentState, payment_for},
        webhook::{WebhookBody, read_notifications},
    },
    providers::sender::VerifiedSender,
    state::State,
};

pub(crate) struct Payments {
    pub state: State,
}

/// The coins to buy: `package_id` or `coins`.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPayment {
    package_id: Option<PackageId>,
    coins: Option<CoinCount>,
    /// The payment scheme. Missing: the scheme of the package's currency, or the default scheme of the site.
    scheme: Option<Scheme>,
}

/// The money to send back.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewRefund {
    /// Missing: everything that is left.
    #[serde(default, deserialize_with = "positive_money")]
    amount: Option<Money>,
    reason: Reason,
}

/// The notification is stored and will be processed.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct NotificationAcknowledgement {
    /// The number of stored transfers. 0 if the bank only tests the connection.
    kept: u32,
}

#[OpenApi(tag = "Tag::Payments")]
impl Payments {
    /// List the coin packages
    ///
    /// Each package has its price. Send its `package_id` to create a payment.
    #[oai(path = "/payments/packages", method = "get", operation_id = "payment_packages")]
    async fn packages(
        &self,
        #[oai(default = "first_page")] page: Query<Page>,
        #[oai(default = "default_limit")] limit: Query<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<CoinPackage>>, Problem> {
        self.state.lists.cached_page(&PackageList, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Create a payment
    ///
    /// Returns a QR code that the player pays with a bank app. If the provider is slow, the response is 202, and the
    /// operation has the QR code later. The payment has the id of the operation.
    #[oai(path = "/payments/instant/qrcode", method = "post", operation_id = "payment_create")]
    async fn create(
        &self,
        caller: SenderOf<CreatePayment>,
        request: CommandRequest,
        body: JsonBody<NewPayment>,
    ) -> Result<CommandResponse<CreatePayment, 201>, Problem> {
        let target = match (body.package_id, body.coins) {
            (Some(id), None) => PurchaseTarget::Package(id),
            (None, Some(coins)) => PurchaseTarget::Coins(coins),
            _ => {
                let detail = "give either package_id or coins";
                return Err(Problem::exactly_one_of(&["package_id", "coins"], detail));
            }
        };
        let command = CreatePayment { target, scheme: body.scheme };
        self.state.commands.send(&request, &caller, command).await
    }

    /// List my payments, newest first
    ///
    /// Each payment has its current status, as in `/payments/{id}`.
    #[oai(path = "/payments/list/:page/:limit", method = "get", operation_id = "payment_list")]
    async fn payments(
        &self,
        caller: RequireRole<Player>,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<PaymentState>>, Problem> {
        let payments = PaymentList { account_id: caller.0.account_id()? };
        self.state.lists.private_page(&payments, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Get a payment
    ///
    /// Returns a payment of the caller with its current status.
    #[oai(path = "/payments/:id", method = "get", operation_id = "payment_find")]
    async fn find(
        &self,
        caller: RequireRole<Player>,
        id: Path<PaymentId>,
    ) -> Result<ReadResponse<PaymentState>, Problem> {
        ReadResponse::private(&payment_for(&self.state.database, &caller.0, id.0).await?)
    }

    /// Get the QR code of a payment as PNG
    ///
    /// The payment must belong to the caller. A module has 8 pixels.
    #[oai(path = "/payments/:id/qrcode.png", method = "get", operation_id = "payment_qrcode_png")]
    async fn png(&self, caller: RequireRole<Player>, id: Path<PaymentId>) -> Result<Image<QrPng>, Problem> {
        Image::of(payment_for(&self.state.database, &caller.0, id.0).await?.payload)
    }

    /// Get the QR code of a payment as SVG
    ///
    /// The payment must belong to the caller. An SVG is sharp at any size.
    #[oai(path = "/payments/:id/qrcode.svg", method = "get", operation_id = "payment_qrcode_svg")]
    async fn svg(&self, caller: RequireRole<Player>, id: Path<PaymentId>) -> Result<Image<QrSvg>, Problem> {
        Image::of(payment_for(&self.state.database, &caller.0, id.0).await?.payload)
    }

    /// Stream the changes of a payment
    ///
    /// Server-sent events: the current state of the payment first, then each change. The name of an event is the status.
    #[oai(path = "/payments/:id/events", method = "get", operation_id = "payment_events")]
    async fn events(
        &self,
        caller: RequireRole<Player>,
        address: Data<&ClientAddress>,
        id: Path<PaymentId>,
    ) -> Result<Changes, Problem> {
        live::stream(&self.state, caller.0, *address.0, id.0).await
    }

    /// Cancel a payment
    ///
    /// Only an unpaid payment can be cancelled. Money that is received later still counts.
    #[oai(path = "/payments/:id/cancel", method = "post", operation_id = "payment_cancel")]
    async fn cancel(
        &self,
        caller: SenderOf<CancelPayment>,
        request: CommandRequest,
        id: Path<PaymentId>,
    ) -> Result<CommandResponse<CancelPayment>, Problem> {
        self.state.commands.send(&request, &caller, CancelPayment { payment_id: id.0 }).await
    }

    /// Refund a payment
    ///
    /// The coins are removed immediately, and restored if the refund fails. If they were spent, the balance becomes negative.
    #[oai(path = "/payments/:id/refund", method = "post", operation_id = "payment_refund")]
    async fn refund(
        &self,
        caller: SenderOf<RefundPayment>,
        request: CommandRequest,
        id: Path<PaymentId>,
        body: JsonBody<NewRefund>,
    ) -> Result<CommandResponse<RefundPayment>, Problem> {
        let NewRefund { amount, reason } = body.0;
        let command = RefundPayment { payment_id: id.0, amount, reason };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Receive a notification
    ///
    /// The sender is a bank with the API Pix, or a program that signs by Standard Webhooks. The response comes when the
    /// notification is stored.
    #[oai(path = "/payments/instant/webhook", method = "post", operation_id = "payment_webhook")]
    async fn webhook(
        &self,
        request: CommandRequest,
        sender: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationAcknowledgement, StoreNotifications>, Problem> {
        self.store(&request, sender, body).await
    }

    /// Receive a Pix notification
    ///
    /// Equivalent to `/payments/instant/webhook`. Banks append `/pix` to the address of a webhook.
    #[oai(path = "/payments/instant/webhook/pix", method = "post", operation_id = "payment_webhook_pix")]
    async fn webhook_pix(
        &self,
        request: CommandRequest,
        sender: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationAcknowledgement, StoreNotifications>, Problem> {
        self.store(&request, sender, body).await
    }
}

impl Payments {
    /// Stores the notifications in a body.
    async fn store(
        &self,
        request: &CommandRequest,
        sender: VerifiedSender,
        body: WebhookBody,
    ) -> Result<ReadResponse<NotificationAcknowledgement, StoreNotifications>, Problem> {
        let Some(command) = read_notifications(sender, &body)? else {
            return ReadResponse::secret(&NotificationAcknowledgement { kept: 0 });
        };
        let kept = u32::try_from(command.notifications.len()).unwrap_or(u32::MAX);
        self.state.commands.enqueue(request, Actor::Anonymous, command).await?;
        ReadResponse::secret(&NotificationAcknowledgement { kept })
    }
}

guildhall_common::examples! {
    NewPayment { "package_id": 1 }
    NotificationAcknowledgement { "kept": 1 }
    NewRefund { "amount": { "amount": "25.00", "currency": "BRL" }, "reason": "A child bought it without permission." }
}
