//! The coins that follow from the money of a payment, and the event about its status.

use chrono::TimeDelta;
use guildhall_common::contract::{coins::CoinTransferKind, payment::PaymentStatus};
use sqlx::PgConnection;

use crate::{
    coins::ledger::{self, Transfer},
    engine::{jobs::schedule, outbox},
    payments::{check_charge::CheckCharge, payment::LockedPayment},
};

/// How soon a charge with a pending refund is checked.
const REFUND_CHECK_AFTER: TimeDelta = TimeDelta::minutes(1);

impl LockedPayment {
    /// Makes the credited coins agree with the recorded money, and publishes the status if the status or the coins have
    /// changed. Call it after each change of receipts or refunds. Returns the change of the coins.
    pub(super) async fn update_coins(&mut self, database: &mut PgConnection) -> sqlx::Result<i64> {
        let status_before = self.status;
        let totals = self.recompute(database).await?;
        let coins = self.price.coins_for(totals.counted) - totals.credited;
        if coins != 0 {
            let transfer = Transfer {
                kind: if coins > 0 { CoinTransferKind::Credit } else { CoinTransferKind::Refund },
                account_id: self.account_id,
                coins,
                payment_id: Some(self.payment_id),
                operation_id: None,
                reason: None,
            };
            ledger::post(&mut *database, &transfer).await?;
        }
        if self.status != status_before || coins != 0 {
            self.publish_status(&mut *database, totals.credited + coins).await?;
        }
        if self.status == PaymentStatus::RefundPending {
            let check = CheckCharge { payment_id: self.payment_id };
            schedule(database, &check, self.now + REFUND_CHECK_AFTER).await?;
        }
        Ok(coins)
    }

    /// Publishes an event about the status, through the outbox.
    pub(super) async fn publish_status(
        &self,
        database: &mut PgConnection,
        credited: i64,
    ) -> sqlx::Result<()> {
        let payload = serde_json::json!({
            "payment_id": self.payment_id,
            "account_id": self.account_id,
            "status": self.status,
            "amount": self.amount,
            "credited": credited,
        });
        let status = payload["status"].as_str().unwrap_or_default();
        outbox::put(database, &format!("payment.{status}"), &payload).await
    }
}
