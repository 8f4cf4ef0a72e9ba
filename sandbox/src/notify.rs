//! Notifications: `POST {webhook}/pix`, as real as the faults that are set.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use reqwest::{RequestBuilder, StatusCode, Url, header::CONTENT_TYPE};
use serde::Serialize;
use serde_json::json;
use tokio::{
    sync::mpsc::UnboundedReceiver,
    time::{sleep, timeout},
};
use uuid::Uuid;

use crate::{
    State,
    bank::{Bank, Pix, now, random},
    config::AppendPix,
    faults::Plan,
};

const TIMEOUT: Duration = Duration::from_secs(10);
/// The most Pix in one notification.
const BATCH: usize = 100;

/// One attempt to notify, for `GET /sandbox/notifications`.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Attempt {
    at: DateTime<Utc>,
    url: String,
    body: String,
    attempt: u32,
    status: Option<u16>,
    error: Option<String>,
}

impl Attempt {
    fn new(url: &str, body: &str, attempt: u32, answer: Result<StatusCode, String>) -> Self {
        Self {
            at: now(),
            url: url.to_owned(),
            body: body.to_owned(),
            attempt,
            status: answer.as_ref().ok().map(StatusCode::as_u16),
            error: answer.err(),
        }
    }
}

/// Sends what is due, together what is due together, and waits for no receiver.
pub(crate) async fn deliver(state: Arc<State>, mut due: UnboundedReceiver<String>) {
    let mut ids = vec![];
    while due.recv_many(&mut ids, BATCH).await > 0 {
        for (url, pix) in by_webhook(&state.bank(), &ids) {
            state.spawn(send(state.clone(), url, pix));
        }
        ids.clear();
    }
}

/// What is known now of these Pix, for each webhook that wants to hear of them.
fn by_webhook(bank: &Bank, ids: &[String]) -> BTreeMap<String, Vec<Pix>> {
    let mut notifications = BTreeMap::<String, Vec<Pix>>::new();
    for pix in ids.iter().filter_map(|id| bank.pix(id)) {
        if let Some(webhook) = bank.webhook(&pix.chave) {
            notifications.entry(webhook.webhook_url.clone()).or_default().push(pix.clone());
        }
    }
    notifications
}

async fn send(state: Arc<State>, webhook: String, pix: Vec<Pix>) {
    let plan = state.faults().notifications.plan();
    let (url, body) = (spoiled_url(&state, &webhook, &plan), spoiled_body(pix, &plan));
    if plan.drop {
        return state.log(Attempt::new(&url, &body, 0, Err("dropped by a fault".to_owned())));
    }
    if plan.after_next {
        let mut sent = state.sent.subscribe();
        // It goes out in the end, even if none follows.
        let _ = timeout(Duration::from_secs(5), sent.changed()).await;
    }
    sleep(plan.delay).await;
    for _ in 1..plan.copies {
        state.spawn(attempts(state.clone(), url.clone(), body.clone()));
    }
    attempts(state.clone(), url, body).await;
}

async fn attempts(state: Arc<State>, url: String, body: String) {
    let mut pause = Duration::from_millis(state.config.webhook_backoff_ms);
    for attempt in 1..=state.config.webhook_attempts {
        let answer = post(state.http.post(&url), &body).await;
        let done = answer.as_ref().is_ok_and(StatusCode::is_success);
        state.log(Attempt::new(&url, &body, attempt, answer));
        state.sent.send_modify(|sent| *sent += 1);
        if done {
            return;
        }
        sleep(pause).await;
        pause *= 2;
    }
    tracing::warn!(url = without_query(&url), "a notification was not taken");
}

/// As it may be logged: what an address is asked with may be a secret.
fn without_query(url: &str) -> &str {
    url.split_once('?').map_or(url, |(address, _)| address)
}

fn spoiled_url(state: &State, webhook: &str, plan: &Plan) -> String {
    let url = notification_url(webhook, state.config.append_pix);
    let Some((start, query)) = url.split_once('?').filter(|_| plan.bad_secret) else {
        return url;
    };
    format!("{start}?{}spoiled", query.replace('&', "spoiled&"))
}

fn spoiled_body(mut pix: Vec<Pix>, plan: &Plan) -> String {
    for pix in &mut pix {
        // The payer's person is nothing that a notification tells.
        pix.pagador = None;
        if plan.foreign_key {
            pix.chave = Uuid::new_v4().to_string();
        }
        if plan.unknown_txid {
            pix.txid = Some(random(32));
        }
    }
    let mut body = json!({ "pix": pix }).to_string();
    if plan.truncated {
        // The middle of a character would be no text.
        body.truncate(body.floor_char_boundary(body.len() / 2));
    }
    body
}

/// Asks a webhook whether it is there, as banks do before they register it.
pub(crate) async fn probe(state: &State, webhook: &str) -> Result<(), String> {
    let url = notification_url(webhook, state.config.append_pix);
    let body = json!({ "evento": "teste_webhook" }).to_string();
    match post(state.http.post(&url), &body).await {
        Ok(StatusCode::OK) => Ok(()),
        Ok(status) => Err(format!("{} respondeu {status}", without_query(&url))),
        Err(error) => Err(format!("{} não respondeu: {error}", without_query(&url))),
    }
}

/// Registers a webhook for every key, as soon as its server answers.
pub(crate) async fn keep_registering(state: Arc<State>, webhook: String) {
    for chave in &state.config.keys {
        let registered =
            || state.bank().webhook(chave).is_some_and(|registered| registered.webhook_url == webhook);
        while !registered() {
            if let Err(error) = probe(&state, &webhook).await {
                tracing::info!(error, "the webhook does not answer yet");
                sleep(Duration::from_secs(1)).await;
            } else if let Err(refused) = state.bank().register(chave, &webhook) {
                return tracing::error!(?refused, "the webhook cannot be registered");
            }
        }
        tracing::info!(chave, "the webhook is registered");
    }
}

/// Posts JSON once; any answer is an answer.
pub(crate) async fn post(request: RequestBuilder, json: &str) -> Result<StatusCode, String> {
    let request = request.timeout(TIMEOUT).header(CONTENT_TYPE, "application/json").body(json.to_owned());
    let answer = request.send().await;
    answer
        .map(|answer| answer.status())
        .map_err(|error| format!("{:#}", anyhow::Error::from(error.without_url())))
}

/// Where a webhook's notifications go.
pub(crate) fn notification_url(webhook: &str, append: AppendPix) -> String {
    match (append, Url::parse(webhook)) {
        (AppendPix::Path, Ok(mut url)) => {
            let path = format!("{}/pix", url.path().trim_end_matches('/'));
            url.set_path(&path);
            url.into()
        }
        _ => format!("{webhook}/pix"),
    }
}
