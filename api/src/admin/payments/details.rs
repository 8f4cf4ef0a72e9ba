//! A payment with its receipts, refunds, notifications and coin transfers.

use chrono::{DateTime, Utc};
use guildhall_common::contract::{
    coins::CoinTransferId,
    command::Refusal,
    payment::{PaymentId, PaymentRefusal, ReceiptId},
};
use poem_openapi::Object;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, types::Json};

use crate::{
    admin::{
        notifications::{NotificationFilter, StoredNotification},
        payments::view::{AdminPayment, PaymentFilter},
    },
    http::{paging::PageRows, problem::Problem},
};

/// The maximum number of notifications of one payment that are returned.
const MAX_NOTIFICATIONS: i64 = 100;

/// A payment with everything that is recorded about it.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PaymentDetails {
    pub payment: AdminPayment,
    pub receipts: Vec<Receipt>,
    pub refunds: Vec<Refund>,
    pub notifications: Vec<StoredNotification>,
    pub coins: Vec<CoinTransfer>,
}

/// Money that was received.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct Receipt {
    pub receipt_id: ReceiptId,
    /// The id of the transfer in the payment scheme.
    pub end_to_end_id: String,
    /// The amount in minor units of the currency.
    pub minor_units: i64,
    pub currency: String,
    pub received_at: DateTime<Utc>,
    pub recorded_at: DateTime<Utc>,
    /// Why no coins were credited. Missing unless an administrator must check the receipt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_because: Option<String>,
}

/// Money that was sent back.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct Refund {
    pub refund_id: String,
    pub receipt_id: ReceiptId,
    /// `refund`, or `reversal` if the payment scheme sent the money back.
    pub kind: String,
    /// The amount in minor units of the currency.
    pub minor_units: i64,
    /// `pending`, `done` or `failed`.
    pub state: String,
    pub reason: String,
    pub requested_at: DateTime<Utc>,
    /// The time when the provider confirmed or refused it. Missing while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<DateTime<Utc>>,
}

/// Coins that were credited or removed.
#[derive(Debug, Deserialize, Serialize, Object)]
pub(crate) struct CoinTransfer {
    pub transfer_id: CoinTransferId,
    /// `credit`, `refund`, `purchase` or `adjustment`.
    pub kind: String,
    /// The number of coins. It is negative if coins were removed.
    pub coins: i64,
    pub transferred_at: DateTime<Utc>,
}

/// Loads a payment of any account with its details.
///
/// # Errors
/// 404 when the payment does not exist; 503 when the database does not respond.
pub(super) async fn payment_details(
    database: &PgPool,
    payment_id: PaymentId,
) -> Result<PaymentDetails, Problem> {
    let filter = PaymentFilter { payment_id: Some(payment_id), ..PaymentFilter::default() };
    let payment = filter.select(database, PageRows::first(1)).await?.pop();
    let payment = payment.ok_or_else(|| PaymentRefusal::PaymentNotFound.refused())?;
    let records = sqlx::query!(
        r#"select
             (select coalesce(jsonb_agg(jsonb_build_object(
                  'receipt_id', receipt_id, 'end_to_end_id', end_to_end_id, 'minor_units', amount,
                  'currency', currency, 'received_at', received_at, 'recorded_at', recorded_at,
                  'held_because', held_because) order by receipt_id), '[]')
              from receipts where payment_id = $1) as "receipts!: Json<Vec<Receipt>>",
             (select coalesce(jsonb_agg(jsonb_build_object(
                  'refund_id', refund_id, 'receipt_id', receipt_id, 'kind', kind, 'minor_units', refunds.amount,
                  'state', state, 'reason', reason, 'requested_at', requested_at, 'settled_at', settled_at)
                  order by requested_at, refund_id), '[]')
              from refunds join receipts using (receipt_id)
              where payment_id = $1) as "refunds!: Json<Vec<Refund>>",
             (select coalesce(jsonb_agg(jsonb_build_object(
                  'transfer_id', transfer_id, 'kind', kind, 'coins', coin_entries.coins,
                  'transferred_at', transferred_at) order by transfer_id), '[]')
              from coin_transfers join coin_entries using (transfer_id)
              where payment_id = $1 and book = 'player') as "coins!: Json<Vec<CoinTransfer>>""#,
        payment_id.get(),
    )
    .fetch_one(database)
    .await?;
    let notifications = NotificationFilter { status: None, reference: Some(payment.reference.clone()) };
    Ok(PaymentDetails {
        payment,
        receipts: records.receipts.0,
        refunds: records.refunds.0,
        notifications: notifications.select(database, PageRows::first(MAX_NOTIFICATIONS)).await?,
        coins: records.coins.0,
    })
}

guildhall_common::examples! {
    PaymentDetails {
        "payment": {
            "payment_id": "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "account_id": 3, "account_name": "mira",
            "status": "paid", "provider": "api_pix", "scheme": "pix", "reference": "0192f0c12a3b7c4d8e5f60718293a4b5",
            "amount": { "amount": "25.00", "currency": "BRL" }, "coins": 250, "created_at": "2030-01-31T12:00:00Z", "failure": null
        },
        "receipts": [{
            "receipt_id": 1, "end_to_end_id": "E12345678202009091221abcdef12345", "minor_units": 2500, "currency": "BRL",
            "received_at": "2030-01-31T12:05:00Z", "recorded_at": "2030-01-31T12:05:01Z", "held_because": null
        }],
        "refunds": [], "notifications": [],
        "coins": [{ "transfer_id": 1, "kind": "credit", "coins": 250, "transferred_at": "2030-01-31T12:05:01Z" }]
    }
}
