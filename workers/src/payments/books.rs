//! The books of a payment: what came, what went back, and the coins that follow from both.

use chrono::{DateTime, TimeDelta, Utc};
use guildhall_common::{
    contract::{actor::AccountId, notification::Provider, payment::PaymentStatus},
    money::{Currency, Money},
    payment_codes::Scheme,
    price::Price,
};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::{
    coins::ledger::{self, Kind, Transfer},
    engine::outbox,
    jobs::{Job, schedule},
    providers::{Received, Returned, Seen},
};

/// A payment, locked, and how it stands.
pub(super) struct Payment {
    pub(super) payment_id: Uuid,
    pub(super) account_id: AccountId,
    pub(super) provider: Provider,
    pub(super) scheme: Scheme,
    pub(super) reference: String,
    pub(super) amount: Money,
    pub(super) price: Price,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) payload: Option<String>,
    pub(super) status: PaymentStatus,
    /// When it was locked, by the database's clock.
    pub(super) now: DateTime<Utc>,
    /// Minor units that coins are credited for.
    counted: i64,
}

/// Names a payment.
#[derive(Debug, Clone, Copy)]
pub(super) enum Which<'a> {
    Id(Uuid),
    Reference(Provider, &'a str),
}

/// Reads what the database writes as text: its constraints allow nothing else.
fn known<T: serde::de::DeserializeOwned>(name: &str) -> sqlx::Result<T> {
    serde_json::from_value(name.into()).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Locks a payment, if there is such a one: whoever writes its books does so alone.
pub(super) async fn lock(database: &mut PgConnection, which: Which<'_>) -> sqlx::Result<Option<Payment>> {
    let (id, provider, reference) = match which {
        Which::Id(id) => (Some(id), None, None),
        Which::Reference(provider, reference) => (None, Some(provider.name()), Some(reference)),
    };
    let locked = sqlx::query_scalar!(
        "select payment_id from payments where payment_id = $1 or (provider = $2 and reference = $3) for update",
        id,
        provider,
        reference,
    )
    .fetch_optional(&mut *database)
    .await?;
    let Some(payment_id) = locked else {
        return Ok(None);
    };
    // A statement of its own, so that it sees what was written while the lock was waited for.
    let row = sqlx::query!(
        r#"select account_id as "account_id!: AccountId", provider as "provider!", scheme as "scheme!",
                  reference as "reference!", currency as "currency!", amount as "amount!", coins as "coins!",
                  rate_amount as "rate_amount!", rate_coins as "rate_coins!", expires_at as "expires_at!", payload, status as "status!", counted as "counted!",
                  clock_timestamp() as "now!"
           from payment_states where payment_id = $1"#,
        payment_id,
    )
    .fetch_one(database)
    .await?;
    let currency: Currency = known(&row.currency)?;
    Ok(Some(Payment {
        payment_id,
        account_id: row.account_id,
        provider: known(&row.provider)?,
        scheme: known(&row.scheme)?,
        reference: row.reference,
        amount: Money::new(row.amount, currency),
        price: Price {
            amount: row.amount,
            coins: row.coins,
            rate_amount: row.rate_amount,
            rate_coins: row.rate_coins,
        },
        expires_at: row.expires_at,
        payload: row.payload,
        status: known(&row.status)?,
        now: row.now,
        counted: row.counted,
    }))
}

impl Payment {
    /// Writes down what the provider has seen. What is known already changes nothing, so it does not
    /// matter how often, nor in which order, it is told.
    pub(super) async fn record(&self, database: &mut PgConnection, seen: &Seen) -> sqlx::Result<()> {
        for received in &seen.received {
            let receipt_id = self.receive(database, received).await?;
            for returned in &received.returned {
                if give_back(database, receipt_id, returned).await? {
                    explain(database, self.provider, &received.end_to_end_id).await?;
                }
            }
        }
        self.balance(database).await
    }

    /// The receipt of this money, written down if it is new.
    async fn receive(&self, database: &mut PgConnection, received: &Received) -> sqlx::Result<i64> {
        let (amount, wanted) = (received.amount, self.amount.currency());
        let other_currency = (amount.currency() != wanted)
            .then(|| format!("it is in {} and not in {wanted}", amount.currency()));
        let new = sqlx::query_scalar!(
            "insert into receipts (payment_id, provider, end_to_end_id, currency, amount, received_at, held_because)
             values ($1, $2, $3, $4, $5, $6, $7) on conflict (provider, end_to_end_id) do nothing
             returning receipt_id",
            self.payment_id,
            self.provider.name(),
            received.end_to_end_id,
            amount.currency().code(),
            amount.minor(),
            received.received_at,
            received.held_because.as_deref().or(other_currency.as_deref()),
        )
        .fetch_optional(&mut *database)
        .await?;
        if let Some(receipt_id) = new {
            explain(database, self.provider, &received.end_to_end_id).await?;
            return Ok(receipt_id);
        }
        let known = find_receipt(database, self.provider, &received.end_to_end_id).await?;
        known
            .filter(|known| known.payment_id == self.payment_id && known.amount == amount)
            .map(|known| known.receipt_id)
            .ok_or_else(|| {
                let id = &received.end_to_end_id;
                sqlx::Error::InvalidArgument(format!(
                    "the books have {id} with another amount, or of another payment"
                ))
            })
    }

    /// Makes the coins agree with the money, and tells the world if the payment stands differently now.
    /// To be called after whatever changed receipts or refunds, and with the payment locked.
    pub(super) async fn balance(&self, database: &mut PgConnection) -> sqlx::Result<()> {
        let Some(now) = Box::pin(lock(database, Which::Id(self.payment_id))).await? else {
            return Err(sqlx::Error::RowNotFound);
        };
        let credited = sqlx::query_scalar!(
            r#"select coalesce(-sum(coin_entries.coins), 0)::bigint as "credited!"
               from coin_transfers join coin_entries using (transfer_id)
               where payment_id = $1 and book = 'issued'"#,
            self.payment_id,
        )
        .fetch_one(&mut *database)
        .await?;
        let coins = self.price.coins_for(now.counted) - credited;
        if coins != 0 {
            let transfer = Transfer {
                kind: if coins > 0 { Kind::Credit } else { Kind::Refund },
                account_id: self.account_id,
                coins,
                payment_id: Some(self.payment_id),
                operation_id: None,
                reason: None,
            };
            ledger::post(&mut *database, &transfer).await?;
        }
        if now.status != self.status || coins != 0 {
            now.announce(&mut *database, credited + coins).await?;
        }
        if now.status == PaymentStatus::RefundPending {
            // Whoever asked for the refund, somebody looks how it ends.
            let watch = Job::WatchCharge { payment_id: self.payment_id };
            schedule(database, &watch, now.now + TimeDelta::minutes(1)).await?;
        }
        Ok(())
    }

    /// Tells the world how the payment stands.
    pub(super) async fn announce(&self, database: &mut PgConnection, credited: i64) -> sqlx::Result<()> {
        let payload = serde_json::json!({
            "payment_id": self.payment_id,
            "account_id": self.account_id,
            "status": self.status,
            "amount": self.amount,
            "credited": credited,
        });
        outbox::put(database, topic(self.status), &payload).await
    }
}

/// Money that is in the books.
pub(super) struct Receipt {
    pub(super) receipt_id: i64,
    pub(super) payment_id: Uuid,
    pub(super) amount: Money,
    pub(super) received_at: DateTime<Utc>,
    /// What has not gone back and is not on its way back.
    pub(super) remaining: i64,
}

pub(super) async fn find_receipt(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_id: &str,
) -> sqlx::Result<Option<Receipt>> {
    let row = sqlx::query!(
        r#"select receipt_id, payment_id, currency, amount, received_at,
                  amount - (select coalesce(sum(refunds.amount), 0)::bigint from refunds
                            where refunds.receipt_id = receipts.receipt_id and state <> 'failed') as "remaining!"
           from receipts where provider = $1 and end_to_end_id = $2"#,
        provider.name(),
        end_to_end_id,
    )
    .fetch_optional(database)
    .await?;
    row.map(|row| {
        Ok(Receipt {
            receipt_id: row.receipt_id,
            payment_id: row.payment_id,
            amount: Money::new(row.amount, known(&row.currency)?),
            received_at: row.received_at,
            remaining: row.remaining,
        })
    })
    .transpose()
}

/// What was told of this money and parked is explained by what is in the books now.
async fn explain(database: &mut PgConnection, provider: Provider, end_to_end_id: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "update payment_notifications set settled_at = clock_timestamp(), reason = null
         where provider = $1 and dedupe_key = $2 and state = 'parked'",
        provider.name(),
        end_to_end_id,
    )
    .execute(database)
    .await?;
    Ok(())
}

/// A refund, ours or another's, and how far it is; whether that was new. What has arrived has arrived, though it was said before that
/// it would not.
async fn give_back(database: &mut PgConnection, receipt_id: i64, returned: &Returned) -> sqlx::Result<bool> {
    let given = sqlx::query!(
        "insert into refunds (refund_id, receipt_id, kind, amount, state, reason, requested_at, settled_at)
         values ($1, $2, $3, $4, $5, $6, $7, case when $5 <> 'pending' then clock_timestamp() end)
         on conflict (receipt_id, refund_id) do update
             set state = excluded.state, settled_at = excluded.settled_at
             where refunds.state = 'pending' and excluded.state <> 'pending'
                or refunds.state = 'failed' and excluded.state = 'done'",
        returned.refund_id,
        receipt_id,
        if returned.reversal { "reversal" } else { "refund" },
        returned.amount.minor(),
        returned.state.name(),
        returned.reason,
        returned.at,
    )
    .execute(database)
    .await?;
    Ok(given.rows_affected() > 0)
}

fn topic(status: PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Created => "payment.created",
        PaymentStatus::Pending => "payment.pending",
        PaymentStatus::Paid => "payment.paid",
        PaymentStatus::PaidLate => "payment.paid_late",
        PaymentStatus::Underpaid => "payment.underpaid",
        PaymentStatus::Overpaid => "payment.overpaid",
        PaymentStatus::Expired => "payment.expired",
        PaymentStatus::Cancelled => "payment.cancelled",
        PaymentStatus::Failed => "payment.failed",
        PaymentStatus::Review => "payment.review",
        PaymentStatus::RefundPending => "payment.refund_pending",
        PaymentStatus::PartiallyRefunded => "payment.partially_refunded",
        PaymentStatus::Refunded => "payment.refunded",
        PaymentStatus::Reversed => "payment.reversed",
    }
}
