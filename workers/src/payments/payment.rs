//! A payment and its lock.

use std::ops::Deref;

use chrono::{DateTime, Utc};
use guildhall_common::{
    contract::{
        actor::AccountId,
        payment::{PaymentId, PaymentStatus},
        providers::Provider,
    },
    money::{Currency, Money},
    payment_codes::Scheme,
    price::CoinPrice,
};
use sqlx::PgConnection;

/// A payment with its status.
pub(super) struct Payment {
    pub(super) payment_id: PaymentId,
    pub(super) account_id: AccountId,
    pub(super) provider: Provider,
    pub(super) scheme: Scheme,
    pub(super) reference: String,
    pub(super) amount: Money,
    pub(super) price: CoinPrice,
    pub(super) expires_at: DateTime<Utc>,
    pub(super) payload: Option<String>,
    pub(super) status: PaymentStatus,
    /// Whether the account was deleted: then nobody can use the coins.
    pub(super) is_account_deleted: bool,
    /// When it was loaded, by the database's clock.
    pub(super) now: DateTime<Utc>,
}

/// A payment whose row is locked until the end of the transaction. Receipts, refunds and coins are written only under this lock.
pub(super) struct LockedPayment(Payment);

/// Selects one payment.
#[derive(Debug, Clone, Copy)]
pub(super) enum PaymentSelector<'a> {
    Id(PaymentId),
    Reference(Provider, &'a str),
}

/// The sums of a payment after its records have changed.
pub(super) struct Totals {
    /// Minor units of money that coins are credited for.
    pub(super) counted: i64,
    /// The coins that are credited so far.
    pub(super) credited: i64,
}

impl PaymentSelector<'_> {
    pub(super) fn parts(&self) -> (Option<PaymentId>, Option<&'static str>, Option<&str>) {
        match self {
            Self::Id(id) => (Some(*id), None, None),
            Self::Reference(provider, reference) => (None, Some(provider.name()), Some(reference)),
        }
    }
}

/// Locks a payment and loads it.
pub(super) async fn lock(
    database: &mut PgConnection,
    selector: PaymentSelector<'_>,
) -> sqlx::Result<Option<LockedPayment>> {
    let (id, provider, reference) = selector.parts();
    let locked = sqlx::query_scalar!(
        r#"select payment_id as "payment_id: PaymentId"
           from payments where payment_id = $1 or (provider = $2 and reference = $3) for update"#,
        id as Option<PaymentId>,
        provider,
        reference,
    )
    .fetch_optional(&mut *database)
    .await?;
    let Some(payment_id) = locked else {
        return Ok(None);
    };
    // The load is a separate statement: it sees the rows that were committed while the first one waited for the lock.
    Ok(load(database, payment_id).await?.map(LockedPayment))
}

/// Loads a payment without a lock.
pub(super) async fn load(
    database: &mut PgConnection,
    payment_id: PaymentId,
) -> sqlx::Result<Option<Payment>> {
    let row = sqlx::query!(
        r#"select account_id as "account_id!: AccountId", provider as "provider!: Provider", scheme as "scheme!: Scheme",
                  reference as "reference!", currency as "currency!: Currency", amount as "amount!",
                  coins as "coins!", rate_amount as "rate_amount!", rate_coins as "rate_coins!",
                  expires_at as "expires_at!", payload, status as "status!: PaymentStatus",
                  exists (select from accounts where accounts.account_id = payment_states.account_id
                                                 and deleted_at is not null) as "is_account_deleted!",
                  clock_timestamp() as "now!"
           from payment_states where payment_id = $1"#,
        payment_id.get(),
    )
    .fetch_optional(database)
    .await?;
    Ok(row.map(|row| Payment {
        payment_id,
        account_id: row.account_id,
        provider: row.provider,
        scheme: row.scheme,
        reference: row.reference,
        amount: Money::new(row.amount, row.currency),
        price: CoinPrice {
            amount: row.amount,
            coins: row.coins,
            rate_amount: row.rate_amount,
            rate_coins: row.rate_coins,
        },
        expires_at: row.expires_at,
        payload: row.payload,
        status: row.status,
        is_account_deleted: row.is_account_deleted,
        now: row.now,
    }))
}

impl LockedPayment {
    /// Computes the sums anew, and with them the status. Call it after a write to the payment, its receipts or its refunds.
    pub(super) async fn recompute(&mut self, database: &mut PgConnection) -> sqlx::Result<Totals> {
        let row = sqlx::query!(
            r#"select status as "status!: PaymentStatus", counted as "counted!",
                      (select coalesce(-sum(coin_entries.coins), 0)::bigint
                       from coin_transfers join coin_entries using (transfer_id)
                       where coin_transfers.payment_id = $1 and book = 'issued') as "credited!"
               from payment_states where payment_states.payment_id = $1"#,
            self.payment_id.get(),
        )
        .fetch_one(database)
        .await?;
        self.0.status = row.status;
        Ok(Totals { counted: row.counted, credited: row.credited })
    }
}

impl Deref for LockedPayment {
    type Target = Payment;

    fn deref(&self) -> &Payment {
        &self.0
    }
}
