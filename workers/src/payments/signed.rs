//! What the operator's own bridge tells and signs: it is believed, if it makes sense.

use chrono::{DateTime, Utc};
use guildhall_common::{contract::notification::Provider, money::Money, platform::db};
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;
use uuid::Uuid;

use crate::{
    app::App,
    payments::{
        books::{Receipt, Which, find_receipt, lock},
        notification::{Found, Told},
        settle::record,
    },
    providers::{Received, RefundState, Returned, Seen},
};

/// `payment.received`
#[derive(Debug, Deserialize)]
struct SignedReceipt {
    #[serde(deserialize_with = "name")]
    end_to_end_id: String,
    #[serde(flatten)]
    amount: Money,
    received_at: DateTime<Utc>,
}

/// `payment.returned`: the operator sent money back at the bank, or the scheme took it.
#[derive(Debug, Deserialize)]
struct SignedReturn {
    #[serde(deserialize_with = "name")]
    end_to_end_id: String,
    #[serde(deserialize_with = "name")]
    refund_id: String,
    #[serde(flatten)]
    amount: Money,
    returned_at: DateTime<Utc>,
    #[serde(default)]
    reversal: bool,
    #[serde(default)]
    reason: String,
}

/// Letters, digits and signs: 1 to 64 of them.
fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    if fits { Ok(text) } else { Err(D::Error::custom("a name must have 1 to 64 letters, digits and signs")) }
}

pub(super) async fn look(site: &App, told: &Told) -> anyhow::Result<Found> {
    match told.body["type"].as_str() {
        Some("payment.received") => match read::<SignedReceipt>(&told.body) {
            Ok(receipt) => receive(site, told, receipt).await,
            Err(why) => Ok(Found::Strange(why)),
        },
        Some("payment.returned") => match read::<SignedReturn>(&told.body) {
            Ok(returned) => give_back(site, returned).await,
            Err(why) => Ok(Found::Strange(why)),
        },
        _ => Ok(Found::strange("its type is neither payment.received nor payment.returned")),
    }
}

fn read<T: for<'de> Deserialize<'de>>(body: &Value) -> Result<T, String> {
    serde_json::from_value(body["data"].clone()).map_err(|error| format!("its data cannot be read: {error}"))
}

async fn receive(site: &App, told: &Told, receipt: SignedReceipt) -> anyhow::Result<Found> {
    let SignedReceipt { end_to_end_id, amount, received_at } = receipt;
    if amount.minor() <= 0 {
        return Ok(Found::strange("its amount is not more than zero"));
    }
    let Some(reference) = &told.reference else {
        return Ok(Found::strange("it names no payment (reference)"));
    };
    let Some(payment_id) = find_payment(site, reference).await? else {
        return Ok(Found::not_yet("there is no payment of this reference"));
    };
    if let Some(known) = find(site, &end_to_end_id).await?
        && (known.payment_id != payment_id || known.amount != amount)
    {
        return Ok(Found::strange("the books have this transfer with another amount, or of another payment"));
    }
    let received = Received { end_to_end_id, amount, received_at, held_because: None, returned: vec![] };
    record(site, payment_id, &Seen { received: vec![received] }).await?;
    Ok(Found::Agreed)
}

/// Of the payment that the transfer was for, whatever else is named.
async fn give_back(site: &App, signed: SignedReturn) -> anyhow::Result<Found> {
    let Some(known) = find(site, &signed.end_to_end_id).await? else {
        return Ok(Found::not_yet("there is no receipt of this end_to_end_id"));
    };
    if let Some(before) = find_return(site, known.receipt_id, &signed.refund_id).await? {
        return Ok(match before == signed.amount.minor() {
            true => Found::Agreed,
            false => Found::strange("the books have this refund_id with another amount"),
        });
    }
    let fits = signed.amount.currency() == known.amount.currency()
        && (1..=known.remaining).contains(&signed.amount.minor());
    if !fits {
        return Ok(Found::strange("it is more than what is left of the transfer, or in another currency"));
    }
    let returned = Returned {
        refund_id: signed.refund_id,
        amount: signed.amount,
        state: RefundState::Done,
        reversal: signed.reversal,
        reason: signed.reason.replace('\0', "\u{fffd}"),
        at: signed.returned_at,
    };
    let received = Received {
        end_to_end_id: signed.end_to_end_id,
        amount: known.amount,
        received_at: known.received_at,
        held_because: None,
        returned: vec![returned],
    };
    record(site, known.payment_id, &Seen { received: vec![received] }).await?;
    Ok(Found::Agreed)
}

async fn find_payment(site: &App, reference: &str) -> anyhow::Result<Option<Uuid>> {
    let mut transaction = db::begin(&site.database).await?;
    let payment = lock(&mut transaction, Which::Reference(Provider::Manual, reference)).await?;
    Ok(payment.map(|payment| payment.payment_id))
}

async fn find(site: &App, end_to_end_id: &str) -> anyhow::Result<Option<Receipt>> {
    let mut connection = site.database.acquire().await?;
    Ok(find_receipt(&mut connection, Provider::Manual, end_to_end_id).await?)
}

/// Minor units of a return that is in the books.
async fn find_return(site: &App, receipt_id: i64, refund_id: &str) -> anyhow::Result<Option<i64>> {
    let amount = sqlx::query_scalar!(
        "select amount from refunds where receipt_id = $1 and refund_id = $2",
        receipt_id,
        refund_id,
    );
    Ok(amount.fetch_optional(&site.database).await?)
}
