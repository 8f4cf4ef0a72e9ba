//! Looking into what a provider told. It is a reason to look, and never a reason to credit, unless its
//! sender has signed it.

use anyhow::Context as _;
use guildhall_common::{contract::notification::Provider, platform::backoff::JOB_DELAY};
use serde_json::Value;
use sqlx::PgConnection;

use crate::{
    app::App,
    engine::failure,
    jobs::Next,
    payments::{
        books::{Which, find_receipt},
        settle::compare,
        signed,
    },
    providers::{ProviderError, Providers, RefundState},
};

/// What was told.
pub(super) struct Told {
    notification_id: i64,
    provider: Provider,
    /// How often: if it is told once more meanwhile, that is looked into by itself.
    times: i32,
    /// The payment that it names.
    pub(super) reference: Option<String>,
    pub(super) body: Value,
}

/// What came of looking.
pub(super) enum Found {
    /// The books agree with it.
    Agreed,
    /// Not yet: trying again may help.
    NotYet(String),
    /// Somebody has to look.
    Strange(String),
}

impl Found {
    pub(super) fn not_yet(why: &str) -> Self {
        Self::NotYet(why.to_owned())
    }

    pub(super) fn strange(why: &str) -> Self {
        Self::Strange(why.to_owned())
    }
}

pub(crate) async fn read_notification(site: &App, notification_id: i64) -> anyhow::Result<Next> {
    let Some(told) = Told::load(site, notification_id).await? else {
        return Ok(Next::Done);
    };
    let looked = match told.provider {
        Provider::ApiPix => told.look_at_pix(site).await,
        Provider::Manual => signed::look(site, &told).await,
    };
    let found = match looked {
        Ok(found) => found,
        // It is the notification's own fault that it cannot be written down.
        Err(error) if failure::is_permanent(&error) => Found::NotYet(format!("{error:#}")),
        Err(error) if matches!(error.downcast_ref(), Some(ProviderError::Refused(_))) => {
            Found::NotYet(format!("{error:#}"))
        }
        Err(error) => return Err(error),
    };
    match found {
        Found::Agreed => told.settled(site).await?,
        Found::NotYet(why) => {
            let Some(tries) = told.count(site).await? else {
                return Ok(Next::Done);
            };
            if tries < site.settings.payments.notification_tries {
                return Ok(Next::After(JOB_DELAY.after(tries)));
            }
            told.park(site, &why).await?;
        }
        Found::Strange(why) => told.park(site, &why).await?,
    }
    Ok(Next::Done)
}

/// What of a transfer, and of all that went back of it, is not in the books as its provider tells of it.
pub(super) async fn what_the_books_miss(
    database: &mut PgConnection,
    provider: Provider,
    end_to_end_id: &str,
    body: &Value,
) -> sqlx::Result<Option<&'static str>> {
    let Some(receipt) = find_receipt(&mut *database, provider, end_to_end_id).await? else {
        return Ok(Some("the provider does not confirm it"));
    };
    for returned in Providers::returns(body) {
        let state = sqlx::query_scalar!(
            "select state from refunds where receipt_id = $1 and refund_id = $2",
            receipt.receipt_id,
            returned.refund_id,
        )
        .fetch_optional(&mut *database)
        .await?;
        // One that is over is over; one that is under way may be over by now.
        let agrees = state
            .is_some_and(|state| returned.state == RefundState::Pending || state == returned.state.name());
        if !agrees {
            return Ok(Some("the provider does not confirm what went back"));
        }
    }
    Ok(None)
}

impl Told {
    async fn load(site: &App, notification_id: i64) -> anyhow::Result<Option<Self>> {
        let row = sqlx::query!(
            r#"select provider, times, reference, body as "body: sqlx::types::Json<Value>" from payment_notifications
               where notification_id = $1"#,
            notification_id,
        )
        .fetch_optional(&site.database)
        .await?;
        row.map(|row| {
            let provider = serde_json::from_value(row.provider.into())?;
            Ok(Self {
                notification_id,
                provider,
                times: row.times,
                reference: row.reference,
                body: row.body.0,
            })
        })
        .transpose()
    }

    async fn look_at_pix(&self, site: &App) -> anyhow::Result<Found> {
        let Some(end_to_end_id) = self.body["endToEndId"].as_str() else {
            return Ok(Found::strange("it names no transfer (endToEndId)"));
        };
        if let Some(key) = self.body["chave"].as_str()
            && !site.providers.is_our_pix_key(key)
        {
            return Ok(Found::strange("it is about another key than ours"));
        }
        let Some(reference) = &self.reference else {
            return Ok(Found::strange("it names no charge (txid)"));
        };
        if compare(site, Which::Reference(self.provider, reference)).await?.is_none() {
            return Ok(Found::not_yet("there is no charge of this txid"));
        }
        let mut connection = site.database.acquire().await?;
        let missing = what_the_books_miss(&mut connection, self.provider, end_to_end_id, &self.body).await?;
        Ok(missing.map_or(Found::Agreed, Found::not_yet))
    }

    async fn settled(&self, site: &App) -> anyhow::Result<()> {
        sqlx::query!(
            "update payment_notifications
             set settled_at = coalesce(settled_at, clock_timestamp()), parked_at = null, reason = null
             where notification_id = $1",
            self.notification_id,
        )
        .execute(&site.database)
        .await?;
        Ok(())
    }

    /// How often it was looked into without finding what it says, this time included.
    async fn count(&self, site: &App) -> sqlx::Result<Option<i32>> {
        sqlx::query_scalar!(
            "update payment_notifications set attempts = attempts + 1, settled_at = null
             where notification_id = $1 and times = $2 returning attempts",
            self.notification_id,
            self.times,
        )
        .fetch_optional(&site.database)
        .await
    }

    async fn park(&self, site: &App, why: &str) -> anyhow::Result<()> {
        let notification_id = self.notification_id;
        let parked = sqlx::query!(
            "update payment_notifications set parked_at = clock_timestamp(), settled_at = null, reason = $2
             where notification_id = $1 and times = $3",
            notification_id,
            why.replace('\0', "\u{fffd}"),
            self.times,
        )
        .execute(&site.database)
        .await
        .context("parking a notification")?;
        if parked.rows_affected() == 0 {
            return Ok(());
        }
        metrics::counter!("guildhall_notifications_parked_total").increment(1);
        tracing::warn!(notification_id, why, "a notification was parked");
        Ok(())
    }
}
