//! The delivery of notifications: `POST {webhook}/pix`, with the faults of the fault settings.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use reqwest::StatusCode;
use serde_json::json;
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{sleep, timeout},
};
use uuid::Uuid;

use super::http_client::{notification_url, post_json, without_query};
use crate::{
    bank::{FakeBank, PixPayment, random_id},
    faults::DeliveryPlan,
    notification_attempt::NotificationAttempt,
    state::SandboxState,
};

/// The maximum number of payments in one notification.
const MAX_BATCH: usize = 100;

/// Sends due notifications until the sandbox stops. Payments that are due together share one notification.
/// A slow receiver delays no other notification.
pub(crate) async fn deliver_notifications(state: Arc<SandboxState>, mut due: UnboundedReceiver<String>) {
    let mut ids = vec![];
    while due.recv_many(&mut ids, MAX_BATCH).await > 0 {
        for (url, payments) in group_by_webhook(&state.bank(), &ids) {
            state.spawn(send_notification(state.clone(), url, payments));
        }
        ids.clear();
    }
}

/// Returns the current state of the payments for each webhook. Keys without a webhook are left out.
fn group_by_webhook(bank: &FakeBank, ids: &[String]) -> BTreeMap<String, Vec<PixPayment>> {
    let mut notifications = BTreeMap::<String, Vec<PixPayment>>::new();
    for payment in ids.iter().filter_map(|id| bank.payment(id)) {
        if let Some(webhook) = bank.webhook(&payment.key) {
            notifications.entry(webhook.url.clone()).or_default().push(payment.clone());
        }
    }
    notifications
}

async fn send_notification(state: Arc<SandboxState>, webhook: String, payments: Vec<PixPayment>) {
    // Subscribed before the fault is used up: a notification that a test sends after that is then counted.
    let mut sent = state.sent_notifications.subscribe();
    let plan = state.faults().notifications.plan_delivery();
    let (url, body) = (url_with_faults(&state, &webhook, &plan), body_with_faults(payments, &plan));
    if plan.drop {
        let error = Err("dropped by a fault".to_owned());
        return state.record_attempt(NotificationAttempt::new(&url, &body, 0, error));
    }
    if plan.after_next {
        let _ = timeout(Duration::from_millis(state.config.reorder_ms), sent.changed()).await;
    }
    sleep(plan.delay).await;
    for _ in 1..plan.copies {
        state.spawn(send_with_retries(state.clone(), url.clone(), body.clone()));
    }
    send_with_retries(state.clone(), url, body).await;
}

async fn send_with_retries(state: Arc<SandboxState>, url: String, body: String) {
    let mut backoff = Duration::from_millis(state.config.webhook_backoff_ms);
    for attempt in 1..=state.config.webhook_attempts {
        let result = post_json(state.http.post(&url), &body).await;
        let is_accepted = result.as_ref().is_ok_and(StatusCode::is_success);
        state.record_attempt(NotificationAttempt::new(&url, &body, attempt, result));
        state.sent_notifications.send_modify(|sent| *sent += 1);
        if is_accepted {
            return;
        }
        sleep(backoff).await;
        backoff *= 2;
    }
    tracing::warn!(url = without_query(&url), "notification not accepted");
}

fn url_with_faults(state: &SandboxState, webhook: &str, plan: &DeliveryPlan) -> String {
    let url = notification_url(webhook, state.config.append_pix);
    let Some((start, query)) = url.split_once('?').filter(|_| plan.bad_secret) else {
        return url;
    };
    format!("{start}?{}wrong", query.replace('&', "wrong&"))
}

fn body_with_faults(mut payments: Vec<PixPayment>, plan: &DeliveryPlan) -> String {
    for payment in &mut payments {
        // Notifications of API Pix do not name the payer.
        payment.payer = None;
        if plan.foreign_key {
            payment.key = Uuid::new_v4().to_string();
        }
        if plan.unknown_txid {
            payment.txid = Some(random_id(32));
        }
    }
    let mut body = json!({ "pix": payments }).to_string();
    if plan.truncated {
        // A String cannot be cut in the middle of a character.
        body.truncate(body.floor_char_boundary(body.len() / 2));
    }
    body
}
