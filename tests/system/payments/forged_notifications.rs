//! Ten thousand forged notifications. None of them has an effect.

use base64::{Engine, engine::general_purpose::STANDARD};
use guildhall_testkit::http::Request;
use http::Method;
use serde_json::json;

use super::signed_notifications::received_notification;
use crate::support::{
    bank::Bank,
    client::{Client, send},
    notification::{SignedNotification, WEBHOOK},
    options::WEBHOOK_SECRET,
};

/// The ways to forge a notification.
#[derive(Debug, Clone, Copy)]
enum Forgery {
    NoSecret,
    ShortSecret,
    WrongSecret,
    SecretInHeaders,
    WrongSignature,
    ChangedBody,
    ChangedId,
    TruncatedBody,
    OldTimestamp,
    FutureTimestamp,
    NoTimestamp,
    NoSignatureVersion,
}

const FORGERIES: [Forgery; 12] = [
    Forgery::NoSecret,
    Forgery::ShortSecret,
    Forgery::WrongSecret,
    Forgery::SecretInHeaders,
    Forgery::WrongSignature,
    Forgery::ChangedBody,
    Forgery::ChangedId,
    Forgery::TruncatedBody,
    Forgery::OldTimestamp,
    Forgery::FutureTimestamp,
    Forgery::NoTimestamp,
    Forgery::NoSignatureVersion,
];

fn forge(visitor: &Client, forgery: Forgery, number: usize) -> Request {
    let body = received_notification("REFERENCE", &format!("T{number}"), "100.00");
    let pix = json!({ "pix": [{ "endToEndId": format!("E{number}"), "txid": "0".repeat(32) }] }).to_string();
    let post = |path: &str| visitor.request(Method::POST, path).body(pix.clone());
    let now = chrono::Utc::now().timestamp();
    let mut signed = SignedNotification::new(&format!("msg_{number}"), &body);
    match forgery {
        Forgery::NoSecret => return post(WEBHOOK),
        Forgery::ShortSecret => return post(&format!("{WEBHOOK}?secret={}", &WEBHOOK_SECRET[..number % 32])),
        Forgery::WrongSecret => return post(&format!("{WEBHOOK}/pix?secret={number:032x}")),
        Forgery::SecretInHeaders => {
            return post(WEBHOOK).header("secret", WEBHOOK_SECRET).bearer_auth(WEBHOOK_SECRET);
        }
        Forgery::WrongSignature => {
            signed.signature = format!("v1,{}", STANDARD.encode(number.to_be_bytes().repeat(4)))
        }
        Forgery::ChangedBody => {
            let byte = number % signed.body.len();
            signed.body.replace_range(byte..=byte, "~");
        }
        Forgery::ChangedId => signed.id.push('x'),
        Forgery::TruncatedBody => signed.body.truncate(number % signed.body.len()),
        Forgery::OldTimestamp => {
            signed = SignedNotification::with_timestamp("msg", &body, now - 301 - number as i64)
        }
        // The limit is 300 s. A slow machine has a minute to deliver the request.
        Forgery::FutureTimestamp => {
            signed = SignedNotification::with_timestamp("msg", &body, now + 361 + number as i64);
        }
        Forgery::NoTimestamp => return post(WEBHOOK).header("webhook-signature", signed.signature),
        Forgery::NoSignatureVersion => signed.signature = signed.signature[3..].to_owned(),
    }
    signed.request(visitor)
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_forged_notifications_have_no_effect() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let notifications = site.count("select count(*) from payment_notifications").await;
    let senders = (0..20).map(|sender| {
        let visitor = site.visitor();
        tokio::spawn(async move {
            for number in (sender..10_000).step_by(20) {
                let forgery = FORGERIES[number % FORGERIES.len()];
                let response = send(forge(&visitor, forgery, number)).await;
                assert_eq!(
                    (response.status, &response.body["code"]),
                    (401, &json!("unauthorized")),
                    "{forgery:?} {number}"
                );
            }
        })
    });
    for sender in senders.collect::<Vec<_>>() {
        sender.await.unwrap();
    }
    assert_eq!(site.count("select count(*) from payment_notifications").await, notifications);
    assert_eq!(site.count("select count(*) from receipts").await, 0);
    site.finish().await;
}
