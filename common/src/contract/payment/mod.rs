//! Instant payments and the price list: their commands and values.

mod adjust_coins;
mod cancel;
mod create;
mod create_coin_package;
mod discard_notification;
mod edit_coin_package;
mod refund;
mod refusal;
mod replay_notification;
mod retire_coin_package;
mod set_coin_rate;
mod store_notifications;
pub mod values;

use crate::domain;

pub use self::{
    refusal::PaymentRefusal,
    values::{NotificationId, PaymentId, PaymentStatus, PurchaseTarget, ReceiptId},
};

domain! {
    /// The commands about payments and coins.
    PaymentCommand("payments") {
        create::CreatePayment,
        cancel::CancelPayment,
        refund::RefundPayment,
        store_notifications::StoreNotifications,
        replay_notification::ReplayNotification,
        discard_notification::DiscardNotification,
        adjust_coins::AdjustCoins,
        set_coin_rate::SetCoinRate,
        create_coin_package::CreateCoinPackage,
        edit_coin_package::EditCoinPackage,
        retire_coin_package::RetireCoinPackage,
    }
}
