//! Looking into what a provider told. It is a reason to look, and never a reason to credit, unless its
//! sender has signed it.

use anyhow::Context as _;
use chrono::{DateTime, Utc};
use guildhall_common::{
    command::Failure,
    money::Money,
    payments::{NotificationReplayed, PaymentRefusal, Provider, ReplayNotification},
};
use serde::Deserialize;
use serde_json::Value;

use super::{
    books::{Which, lock},
    provider::{Received, RefundState, Returned, Seen},
    settle::{compare, record},
};
use crate::{
    Site,
    jobs::{self, Job, Next},
    rule::{Context, Rule},
};

struct Told {
    notification_id: i64,
    provider: Provider,
    reference: Option<String>,
    body: Value,
}

/// What came of looking.
enum Found {
    /// The books agree with it.
    Agreed,
    /// Not yet: trying again may help.
    NotYet(&'static str),
    /// Somebody has to look.
    Strange(String),
}

pub(crate) async fn read_notification(
    site: &Site,
    notification_id: i64,
    attempt: i32,
) -> anyhow::Result<Next> {
    let row = sqlx::query!(
        r#"select provider, reference, body as "body: sqlx::types::Json<Value>" from payment_notifications
           where notification_id = $1"#,
        notification_id,
    )
    .fetch_one(&site.database)
    .await?;
    let told = Told {
        notification_id,
        provider: serde_json::from_value(row.provider.into())?,
        reference: row.reference,
        body: row.body.0,
    };
    let found = match told.provider {
        Provider::ApiPix => told.look_at_pix(site).await?,
        Provider::Manual => told.look_at_signed(site).await?,
    };
    match found {
        Found::Agreed => told.settled(site).await?,
        Found::NotYet(why) if attempt >= site.settings.payments.notification_tries => {
            told.park(site, why).await?
        }
        Found::NotYet(_) => return Ok(Next::After(jobs::pause(attempt))),
        Found::Strange(why) => told.park(site, &why).await?,
    }
    Ok(Next::Done)
}

/// `payment.received` of our own bridge's notifications.
#[derive(Debug, Deserialize)]
struct SignedReceipt {
    end_to_end_id: String,
    #[serde(flatten)]
    amount: Money,
    received_at: DateTime<Utc>,
}

/// `payment.returned`: the operator sent money back at the bank, or the scheme took it.
#[derive(Debug, Deserialize)]
struct SignedReturn {
    end_to_end_id: String,
    refund_id: String,
    #[serde(flatten)]
    amount: Money,
    returned_at: DateTime<Utc>,
    #[serde(default)]
    reversal: bool,
    #[serde(default)]
    reason: String,
}

impl Told {
    async fn look_at_pix(&self, site: &Site) -> anyhow::Result<Found> {
        let Some(end_to_end_id) = self.body["endToEndId"].as_str() else {
            return Ok(Found::Strange("it names no transfer (endToEndId)".to_owned()));
        };
        if let Some(key) = self.body["chave"].as_str()
            && !site.providers.is_our_pix_key(key)
        {
            return Ok(Found::Strange("it is about another key than ours".to_owned()));
        }
        let Some(reference) = &self.reference else {
            return Ok(Found::Strange("it names no charge (txid)".to_owned()));
        };
        if compare(site, Which::Reference(self.provider, reference)).await?.is_none() {
            return Ok(Found::NotYet("there is no charge of this txid"));
        }
        let booked = sqlx::query!(
            "select from receipts where provider = $1 and end_to_end_id = $2",
            self.provider.name(),
            end_to_end_id,
        );
        Ok(match booked.fetch_optional(&site.database).await? {
            Some(_) => Found::Agreed,
            None => Found::NotYet("the provider does not confirm it"),
        })
    }

    async fn look_at_signed(&self, site: &Site) -> anyhow::Result<Found> {
        let data = || self.body["data"].clone();
        let received = match self.body["type"].as_str() {
            Some("payment.received") => serde_json::from_value(data()).map(SignedReceipt::received),
            Some("payment.returned") => match serde_json::from_value::<SignedReturn>(data()) {
                Ok(returned) => match returned.received(site).await? {
                    Some(received) => Ok(received),
                    None => return Ok(Found::NotYet("there is no receipt of this end_to_end_id")),
                },
                Err(error) => Err(error),
            },
            _ => {
                return Ok(Found::Strange(
                    "its type is neither payment.received nor payment.returned".to_owned(),
                ));
            }
        };
        let received = match received {
            Ok(received) if received.amount.minor() > 0 => received,
            Ok(_) => return Ok(Found::Strange("its amount is not more than zero".to_owned())),
            Err(error) => return Ok(Found::Strange(format!("its data cannot be read: {error}"))),
        };
        let Some(reference) = &self.reference else {
            return Ok(Found::Strange("it names no payment (reference)".to_owned()));
        };
        let mut connection = site.database.begin().await?;
        let payment = lock(&mut connection, Which::Reference(self.provider, reference)).await?;
        let Some(payment) = payment else {
            return Ok(Found::NotYet("there is no payment of this reference"));
        };
        connection.rollback().await?;
        record(site, payment.payment_id, &Seen { received: vec![received] }).await?;
        Ok(Found::Agreed)
    }

    async fn settled(&self, site: &Site) -> anyhow::Result<()> {
        sqlx::query!(
            "update payment_notifications set settled_at = coalesce(settled_at, now()), parked_at = null, reason = null
             where notification_id = $1",
            self.notification_id,
        )
        .execute(&site.database)
        .await?;
        Ok(())
    }

    async fn park(&self, site: &Site, why: &str) -> anyhow::Result<()> {
        let notification_id = self.notification_id;
        sqlx::query!(
            "update payment_notifications set parked_at = now(), reason = $2
             where notification_id = $1 and settled_at is null",
            notification_id,
            why.replace('\0', "\u{fffd}"),
        )
        .execute(&site.database)
        .await
        .context("parking a notification")?;
        metrics::counter!("guildhall_notifications_parked_total").increment(1);
        tracing::warn!(notification_id, why, "a notification was parked");
        Ok(())
    }
}

impl SignedReceipt {
    fn received(self) -> Received {
        Received {
            end_to_end_id: self.end_to_end_id,
            amount: self.amount,
            received_at: self.received_at,
            held_because: None,
            returned: vec![],
        }
    }
}

impl SignedReturn {
    /// The receipt that it is about, as it is in the books, with this return.
    async fn received(self, site: &Site) -> anyhow::Result<Option<Received>> {
        let known = sqlx::query!(
            "select amount, currency, received_at from receipts where provider = $1 and end_to_end_id = $2",
            Provider::Manual.name(),
            self.end_to_end_id,
        )
        .fetch_optional(&site.database)
        .await?;
        let Some(known) = known else {
            return Ok(None);
        };
        let returned = Returned {
            refund_id: self.refund_id,
            amount: self.amount,
            state: RefundState::Done,
            reversal: self.reversal,
            reason: self.reason,
            at: self.returned_at,
        };
        Ok(Some(Received {
            end_to_end_id: self.end_to_end_id,
            amount: Money::new(known.amount, known.currency.parse()?),
            received_at: known.received_at,
            held_because: None,
            returned: vec![returned],
        }))
    }
}

impl Rule for ReplayNotification {
    /// For administrators, once they have found out why it was parked.
    async fn apply(&self, cx: &mut Context<'_>) -> Result<NotificationReplayed, Failure> {
        let notification_id = self.notification_id.get();
        let row = sqlx::query!(
            r#"select settled_at is not null as "settled!" from payment_notifications
               where notification_id = $1 for update"#,
            notification_id,
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(PaymentRefusal::NotificationNotFound)?;
        if row.settled {
            return Err(PaymentRefusal::NotificationSettled.into());
        }
        sqlx::query!(
            "update payment_notifications set parked_at = null, reason = null where notification_id = $1",
            notification_id,
        )
        .execute(&mut *cx.db)
        .await?;
        cx.schedule(&Job::ReadNotification { notification_id }, cx.now).await?;
        cx.audit("notification.replay", serde_json::json!({ "notification_id": notification_id })).await?;
        Ok(NotificationReplayed { notification_id })
    }
}
