//! Processes a parked notification again.

use guildhall_common::contract::{
    command::Failure,
    payment::{NotificationReplayed, PaymentRefusal, ReplayNotification},
};

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    payments::process_notification::ProcessNotification,
};

impl Rule for ReplayNotification {
    /// For administrators, after they have found out why the notification was parked.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NotificationReplayed, Failure> {
        let notification_id = self.notification_id;
        let state = sqlx::query_scalar!(
            "select state from payment_notifications where notification_id = $1 for update",
            notification_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(PaymentRefusal::NotificationNotFound)?;
        if state == "settled" {
            return Err(PaymentRefusal::NotificationSettled.into());
        }
        sqlx::query!(
            "update payment_notifications set parked_at = null, discarded_at = null, reason = null, attempts = 0
             where notification_id = $1",
            notification_id.get(),
        )
        .execute(&mut *cx.db)
        .await?;
        cx.schedule(&ProcessNotification { notification_id }, cx.now).await?;
        let details = serde_json::json!({ "notification_id": notification_id });
        cx.audit(Entry::new("notification.replay", details)).await?;
        Ok(NotificationReplayed { notification_id })
    }
}
