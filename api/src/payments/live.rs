//! A payment as it changes: server-sent events.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::Utc;
use futures_util::{StreamExt, stream, stream::BoxStream};
use guildhall_common::platform::bus::events::EventListener;
use poem::{http::StatusCode, web::sse::Event};
use poem_openapi::{payload::EventStream, types::ToJSON};
use tokio::time::{Instant, sleep, timeout_at};
use uuid::Uuid;

use crate::{
    auth::Caller,
    http::problem::Problem,
    payments::read::{PaymentState, payment_for},
    state::State,
};

/// How often to look, beside hearing of it: an event may be missed.
const LOOK_EVERY: Duration = Duration::from_secs(10);

/// Streams of one account at one time.
const MOST: usize = 10;

/// A stream ends after this; a client that still wants to know connects again.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// So that proxies do not take the silence for a dead connection, and a client that has gone is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(5);

/// The states of a payment, one after the other.
pub(super) type Changes = EventStream<BoxStream<'static, PaymentState>>;

/// How many streams each account follows.
#[derive(Clone, Default)]
pub(crate) struct Streams(Arc<Mutex<HashMap<i64, usize>>>);

/// One stream's place; free again when it is dropped.
struct Place {
    streams: Streams,
    account_id: i64,
}

impl Streams {
    fn take(&self, account_id: i64) -> Option<Place> {
        let mut streams = self.lock();
        let taken = streams.entry(account_id).or_default();
        (*taken < MOST).then(|| {
            *taken += 1;
            Place { streams: self.clone(), account_id }
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<i64, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut streams = self.streams.lock();
        if let Some(taken) = streams.get_mut(&self.account_id) {
            *taken -= 1;
            if *taken == 0 {
                streams.remove(&self.account_id);
            }
        }
    }
}

fn too_many() -> Problem {
    let detail = format!("An account may follow {MOST} payments at one time.");
    Problem {
        retry_after: Some(LOOK_EVERY.as_secs()),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail)
    }
}

struct Watch {
    _place: Place,
    state: State,
    caller: Caller,
    payment_id: Uuid,
    events: EventListener,
    told: Option<PaymentState>,
    ends_at: Instant,
}

/// The payment as it is, and again whenever it has changed.
///
/// # Errors
/// 404 when it is not the caller's; 429 when the caller follows too many.
pub(super) async fn stream(state: &State, caller: Caller, payment_id: Uuid) -> Result<Changes, Problem> {
    // Listens before it looks, so that nothing is missed in between.
    let events = state.events.listen();
    let now = payment_for(state, &caller, payment_id).await?;
    let watch = Watch {
        _place: state.streams.take(caller.account_id()).ok_or_else(too_many)?,
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
            Event::message(serde_json::to_string(&payment).unwrap_or_default())
                .event_type(name.as_str().unwrap_or_default())
        });
    Ok(events)
}

impl Watch {
    /// Waits until the payment differs from what was told; `None` when it is time to end.
    async fn change(&mut self) -> Option<PaymentState> {
        loop {
            let id = self.payment_id.to_string();
            let pause = self.pause();
            let heard = self.events.wait_for(|event| event.payload["payment_id"] == id.as_str());
            let waited = timeout_at(self.ends_at, async {
                tokio::select! {
                    () = heard => {}
                    () = sleep(pause) => {}
                }
            });
            self.state.stop.run_until_cancelled(waited).await?.ok()?;
            // While Postgres is away there is nothing to tell.
            match payment_for(&self.state, &self.caller, self.payment_id).await {
                Ok(now) if self.told.as_ref() != Some(&now) => return Some(now),
                _ => {}
            }
        }
    }

    /// Until the payment expires, if that comes first: no event tells of it in time.
    fn pause(&self) -> Duration {
        let left = self.told.as_ref().map(|told| told.expires_at - Utc::now());
        let left = left.and_then(|left| left.to_std().ok()).unwrap_or(LOOK_EVERY);
        // The database's clock may be a little behind.
        (left + Duration::from_millis(100)).min(LOOK_EVERY)
    }
}
