//! A payment as it changes: server-sent events.

use std::time::Duration;

use futures_util::{StreamExt, stream, stream::BoxStream};
use guildhall_common::bus::events::Listener;
use poem::web::sse::Event;
use poem_openapi::{payload::EventStream, types::ToJSON};
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use super::read::{PaymentState, own_payment};
use crate::{State, auth::Caller, problem::Problem};

/// How often to look, beside hearing of it: of an expiry nobody tells in time, and an event may be missed.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// A stream ends after this; a client that still wants to know connects again.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// So that proxies do not take the silence for a dead connection.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// The states of a payment, one after the other.
pub(super) type Changes = EventStream<BoxStream<'static, PaymentState>>;

struct Watch {
    state: State,
    caller: Caller,
    payment_id: Uuid,
    events: Listener,
    told: Option<PaymentState>,
    ends_at: Instant,
}

/// The payment as it is, and again whenever it has changed.
///
/// # Errors
/// 404 when it is not the caller's.
pub(super) async fn stream(state: &State, caller: Caller, payment_id: Uuid) -> Result<Changes, Problem> {
    // Listens before it looks, so that nothing is missed in between.
    let events = state.events.listen();
    let now = own_payment(state, &caller, payment_id).await?;
    let watch = Watch {
        state: state.clone(),
        caller,
        payment_id,
        events,
        told: None,
        ends_at: Instant::now() + LONGEST,
    };
    let changes = stream::unfold((watch, Some(now)), |(mut watch, known)| async move {
        let now = match known {
            Some(now) => now,
            None => watch.change().await?,
        };
        watch.told = Some(now.clone());
        Some((now, (watch, None)))
    });
    let events =
        EventStream::new(changes.boxed()).keep_alive(KEEP_ALIVE).to_event(|payment: PaymentState| {
            let name = payment.status.to_json().unwrap_or_default();
            Event::message(payment.to_json_string()).event_type(name.as_str().unwrap_or_default())
        });
    Ok(events)
}

impl Watch {
    /// Waits until the payment differs from what was told; `None` when it is time to end.
    async fn change(&mut self) -> Option<PaymentState> {
        loop {
            let id = self.payment_id.to_string();
            let heard = self.events.heard(|event| event.payload["payment_id"] == id.as_str());
            let waited = timeout_at(self.ends_at, async {
                tokio::select! {
                    () = heard => {}
                    () = sleep(LOOK_EVERY) => {}
                }
            });
            waited.await.ok()?;
            // While Postgres is away there is nothing to tell.
            match own_payment(&self.state, &self.caller, self.payment_id).await {
                Ok(now) if self.told.as_ref() != Some(&now) => return Some(now),
                _ => {}
            }
        }
    }
}
