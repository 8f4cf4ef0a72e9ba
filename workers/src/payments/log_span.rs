//! The log fields of a payment.

use guildhall_common::contract::payment::{NotificationId, PaymentId, ReceiptId};
use tracing::{Span, field::Empty};

/// The span of a job about one payment. The id of a payment is the id of the operation that created it.
///
/// It has the highest level, so that its fields are in the log at every log level.
pub(super) fn payment_span(payment_id: PaymentId) -> Span {
    tracing::error_span!("payment", payment.id = %payment_id, operation.id = %payment_id)
}

/// The span of the processing of a notification. [`set_payment`] adds the payment when it is known.
pub(super) fn notification_span(notification_id: NotificationId) -> Span {
    tracing::error_span!(
        "notification",
        notification.id = notification_id.get(),
        payment.id = Empty,
        operation.id = Empty
    )
}

/// The span of a refund. [`set_payment`] adds the payment when it is known. The operation of a refund is another one than the
/// operation of its payment.
pub(super) fn refund_span(receipt_id: ReceiptId, refund_id: &str) -> Span {
    tracing::error_span!("refund", receipt.id = receipt_id.get(), refund.id = refund_id, payment.id = Empty)
}

/// Adds the payment to the fields of the current span that it declares.
pub(super) fn set_payment(payment_id: PaymentId) {
    let id = tracing::field::display(payment_id);
    Span::current().record("payment.id", &id).record("operation.id", &id);
}
