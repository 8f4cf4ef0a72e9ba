//! The endpoints of payments for administrators.

mod details;
mod view;

use guildhall_common::contract::{
    account::AccountId,
    payment::{PaymentId, PaymentStatus},
    values::{Limit, Page},
};
use poem_openapi::OpenApi;

use crate::{
    admin::payments::{
        details::{PaymentDetails, payment_details},
        view::{AdminPayment, PaymentFilter},
    },
    auth::{Admin, RequireRole},
    http::{
        cursor::Cursor,
        paging::{Paging, default_limit, first_page},
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
    },
    openapi::Tag,
    state::State,
};

pub(crate) struct PaymentAdministration {
    pub state: State,
}

#[OpenApi(tag = "Tag::Administration")]
impl PaymentAdministration {
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
        self.state.lists.private_page(&filter, Paging::new(page.0, limit.0, after.0)).await
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
}
