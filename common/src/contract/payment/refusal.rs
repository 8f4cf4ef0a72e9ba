//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    PaymentRefusal {
        NotFound PaymentNotFound "payment_not_found" "This payment does not exist, or it belongs to another account.";
        NotFound PackageNotFound "package_not_found" "This coin package is not on sale.";
        NotFound NotificationNotFound "notification_not_found" "This notification does not exist.";
        NotFound AccountNotFound "account_not_found" "This account does not exist.";
        Conflict SchemeUnavailable "scheme_unavailable" "This site does not accept this payment scheme.";
        Conflict CurrencyMismatch "currency_mismatch" "The currency is not that of the payment, or not that of the payment scheme.";
        Conflict NoPrice "coins_not_sold" "In this currency, coins are sold only in packages.";
        Conflict AmountTooLarge "amount_too_large" "The amount is larger than the payment scheme allows. Choose a smaller one.";
        Conflict TooManyOpen "too_many_open_payments" "The account has too many open payments. Pay or cancel one first.";
        Conflict TooManyCreated "too_many_payments" "The account has created too many payments. Try again in an hour.";
        Conflict ProviderRefused "provider_refused" "The payment provider refused this payment.";
        Conflict ProviderUnavailable "provider_unavailable" "The payment provider could not be reached in time.";
        Conflict CancelledMeanwhile "payment_cancelled" "The payment was cancelled before the provider registered it.";
        Conflict NotCancellable "payment_not_cancellable" "Only a payment without receipts can be cancelled.";
        Conflict NothingToRefund "nothing_to_refund" "No money of this payment is left to refund.";
        Conflict RefundTooLarge "refund_too_large" "The amount is larger than what is left of the payment.";
        Conflict RefundUnsupported "refund_unsupported" "This payment scheme cannot refund. Refund at the bank, and send a signed notification about it.";
        Conflict NotificationSettled "notification_settled" "This notification is already settled.";
        Conflict NotificationNotParked "notification_not_parked" "This notification is not parked.";
        Conflict RateMissing "rate_missing" "This currency has no rate. Set its rate first.";
        Conflict RateChanged "rate_changed" "Another administrator has changed the rate. Load it again.";
        Conflict PackageChanged "package_changed" "Another administrator has changed the coin package. Load it again.";
        Conflict NothingToAdjust "nothing_to_adjust" "The number of coins must not be zero.";
        Conflict NotEnoughCoins "not_enough_coins" "The account does not have that many coins.";
    }
}
