//! Server-sent events: the changes of a payment.

use std::time::Duration;

use chrono::Utc;
use futures_util::{StreamExt, stream, stream::BoxStream};
use guildhall_common::{
    contract::{
        account::{AccountId, SessionId},
        payment::PaymentId,
    },
    platform::bus::events::EventListener,
};
use poem::web::sse::Event;
use poem_openapi::{payload::EventStream, types::ToJSON};
use sqlx::PgPool;
use tokio::time::{Instant, sleep, timeout_at};

use crate::{
    auth::Caller,
    http::{client_address::ClientAddress, problem::Problem, stream_limits::StreamSlots},
    payments::payment_state::{PaymentState, payment_for},
    state::State,
};

/// The interval between checks. An event of the bus is faster, but it may be lost.
const POLL_INTERVAL: Duration = Duration::from_secs(10);

/// The longest duration of a stream. Afterwards the client connects again.
const MAX_DURATION: Duration = Duration::from_secs(15 * 60);

/// The interval of keep-alive comments. They keep proxies from closing the connection, and reveal that a client is gone.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The states of a payment, one after the other.
pub(super) type Changes = EventStream<BoxStream<'static, PaymentState>>;

/// A client that follows a payment.
struct Watch {
    _slots: StreamSlots,
    state: State,
    caller: Caller,
    payment_id: PaymentId,
    events: EventListener,
    /// The state that was sent last.
    sent: Option<PaymentState>,
    ends_at: Instant,
}

/// Sends the current state of the payment, and each later state.
///
/// # Errors
/// 404 when it does not exist or belongs to another account; 429 when the caller has too many streams; 503 when the
/// server has too many.
pub(super) async fn stream(
    state: &State,
    caller: Caller,
    address: ClientAddress,
    payment_id: PaymentId,
) -> Result<Changes, Problem> {
    let slots = state.stream_limits.acquire(caller.account_id()?, address)?;
    // It listens before it reads, so that no change between both is missed.
    let events = state.events.listen();
    let current = payment_for(&state.database, &caller, payment_id).await?;
    let watch = Watch {
        _slots: slots,
        state: state.clone(),
        caller,
        payment_id,
        events,
        sent: None,
        ends_at: Instant::now() + MAX_DURATION,
    };
    let changes = stream::unfold((watch, Some(current)), |(mut watch, first)| async move {
        let current = match first {
            Some(current) => current,
            None => watch.next_change().await?,
        };
        watch.sent = Some(current.clone());
        Some((current, (watch, None)))
    });
    let events =
        EventStream::new(changes.boxed()).keep_alive(KEEP_ALIVE).to_event(|payment: PaymentState| {
            let name = payment.status.to_json().unwrap_or_default();
            Event::message(serde_json::to_string(&payment).unwrap_or_default())
                .event_type(name.as_str().unwrap_or_default())
        });
    Ok(events)
}

impl Watch {
    /// Waits until the payment differs from the state that was sent last. `None` ends the stream.
    async fn next_change(&mut self) -> Option<PaymentState> {
        loop {
            let id = self.payment_id.to_string();
            let account_id = self.caller.actor.account_id().map(AccountId::get);
            let delay = self.delay();
            let event = self.events.wait_for(|event| {
                event.payload["payment_id"] == id.as_str()
                    || event.topic == "account.sessions_ended"
                        && event.payload["account_id"].as_i64() == account_id
            });
            let next_check = timeout_at(self.ends_at, async {
                tokio::select! {
                    () = event => {}
                    () = sleep(delay) => {}
                }
            });
            self.state.stop.run_until_cancelled(next_check).await?.ok()?;
            // An unreachable database is not a change: the next check tries again.
            if is_session_ended(&self.state.database, &self.caller).await.unwrap_or(false) {
                return None;
            }
            match payment_for(&self.state.database, &self.caller, self.payment_id).await {
                Ok(current) if self.sent.as_ref() != Some(&current) => return Some(current),
                _ => {}
            }
        }
    }

    /// The time until the next check. The payment is checked when it expires, because no event announces that in time.
    fn delay(&self) -> Duration {
        let left = self.sent.as_ref().map(|sent| sent.expires_at - Utc::now());
        let left = left.and_then(|left| left.to_std().ok()).unwrap_or(POLL_INTERVAL);
        // The clock of the database may be a little behind.
        (left + Duration::from_millis(100)).min(POLL_INTERVAL)
    }
}

/// Whether the session of the caller was ended, for example by a log-out or a suspension. The deletion of the account deletes it.
async fn is_session_ended(database: &PgPool, caller: &Caller) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"select not exists (select from sessions where session_id = $1 and ended_at is null) as "is_ended!""#,
        caller.session_id.map(SessionId::get),
    )
    .fetch_one(database)
    .await
}
