//! Adds and removes coins by hand.

use guildhall_common::contract::{
    coins::CoinTransferKind,
    command::{Failure, OnConstraint},
    payment::{AdjustCoins, CoinsAdjusted, PaymentRefusal},
};

use crate::{
    coins::ledger::{self, BALANCE_CONSTRAINT, Transfer},
    engine::{audit::Entry, context::Context, rule::Rule},
};

impl Rule for AdjustCoins {
    /// For administrators. An account cannot lose more coins than it has.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<CoinsAdjusted, Failure> {
        let account_id = self.account_id;
        if self.coins.get() == 0 {
            return Err(PaymentRefusal::NothingToAdjust.into());
        }
        sqlx::query!("select from accounts where account_id = $1", account_id.get())
            .fetch_optional(&mut *cx.db)
            .await?
            .ok_or(PaymentRefusal::AccountNotFound)?;
        let transfer = Transfer {
            kind: CoinTransferKind::Adjustment,
            account_id,
            coins: self.coins.get(),
            payment_id: None,
            operation_id: Some(cx.operation_id),
            reason: Some(&self.reason),
        };
        ledger::post(cx.db, &transfer)
            .await
            .on_constraint(BALANCE_CONSTRAINT, PaymentRefusal::NotEnoughCoins)?;
        let details = serde_json::json!({ "account_id": account_id, "coins": self.coins.get() });
        cx.audit(Entry::new("coins.adjust", details).text("reason", &self.reason)).await?;
        let balance = ledger::balance(cx.db, account_id).await?;
        Ok(CoinsAdjusted { account_id, balance })
    }
}
