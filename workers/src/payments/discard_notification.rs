//! Gives up a parked notification.

use guildhall_common::contract::{
    command::Failure,
    payment::{DiscardNotification, NotificationDiscarded, PaymentRefusal},
};

use crate::engine::{audit::Entry, context::Context, rule::Rule};

impl Rule for DiscardNotification {
    const REFUSES_BEFORE_WRITING: bool = true;

    /// For administrators: the notification will never match a payment. It can still be replayed, and one that is received again is
    /// processed again.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NotificationDiscarded, Failure> {
        let notification_id = self.notification_id;
        let state = sqlx::query_scalar!(
            "select state from payment_notifications where notification_id = $1 for update",
            notification_id.get(),
        );
        let state = state.fetch_optional(&mut *cx.db).await?.ok_or(PaymentRefusal::NotificationNotFound)?;
        if state != "parked" {
            return Err(PaymentRefusal::NotificationNotParked.into());
        }
        sqlx::query!(
            "update payment_notifications set discarded_at = $2 where notification_id = $1",
            notification_id.get(),
            cx.now,
        )
        .execute(&mut *cx.db)
        .await?;
        let details = serde_json::json!({ "notification_id": notification_id });
        cx.audit(Entry::new("notification.discard", details).text("reason", &self.reason)).await?;
        Ok(NotificationDiscarded { notification_id })
    }
}
