//! Who may tell of payments: forged, replayed, truncated, mutated, and honest notifications.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{
    bank::Bank,
    payments::{coins, stands},
    support::{Caller, Options, SIGNING_SECRET, Site, WEBHOOK_SECRET, no_payments, send},
};

const PATH: &str = "/payments/instant/webhook";

/// A request signed by Standard Webhooks.
pub(crate) struct Signed {
    pub(crate) id: String,
    timestamp: i64,
    body: String,
    pub(crate) signature: String,
}

impl Signed {
    pub(crate) fn new(id: &str, body: &Value) -> Self {
        Self::at(id, body, chrono::Utc::now().timestamp())
    }

    fn at(id: &str, body: &Value, timestamp: i64) -> Self {
        let secret = STANDARD.decode(SIGNING_SECRET.trim_start_matches("whsec_")).unwrap();
        let body = body.to_string();
        let mut mac = Hmac::<Sha256>::new_from_slice(&secret).unwrap();
        mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
        let signature = format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()));
        Self { id: id.to_owned(), timestamp, body, signature }
    }

    pub(crate) fn request(&self, nobody: &Caller) -> RequestBuilder {
        nobody
            .request(Method::POST, PATH)
            .header("webhook-id", &self.id)
            .header("webhook-timestamp", self.timestamp)
            .header("webhook-signature", &self.signature)
            .body(self.body.clone())
    }
}

/// A site that is paid by PromptPay, with nobody to ask.
async fn manual_site() -> Site {
    let payments = guildhall_workers::config::PaymentSettings {
        promptpay_id: Some("0801234567".to_owned()),
        ..no_payments()
    };
    let site = Site::with(Options { payments, ..Options::default() }).await;
    sqlx::raw_sql("insert into coin_rates (currency, amount, coins) values ('THB', 100, 2)")
        .execute(&site.database)
        .await
        .unwrap();
    site
}

async fn reference(site: &Site, payment_id: &str) -> String {
    let id: uuid::Uuid = payment_id.parse().unwrap();
    sqlx::query_scalar("select reference from payments where payment_id = $1")
        .bind(id)
        .fetch_one(&site.database)
        .await
        .unwrap()
}

fn received(reference: &str, end_to_end_id: &str, amount: &str) -> Value {
    json!({ "type": "payment.received", "data": {
        "reference": reference, "end_to_end_id": end_to_end_id, "amount": amount, "currency": "THB",
        "received_at": "2030-01-01T00:00:00Z"
    } })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_notification_is_money() {
    let site = manual_site().await;
    let player = site.player("mira").await;
    let asked = player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await.result();
    let id = asked["payment_id"].as_str().unwrap();
    assert_eq!(
        (&asked["scheme"], &asked["amount"]),
        (&json!("promptpay"), &json!({ "amount": "125.00", "currency": "THB" }))
    );
    let reference = reference(&site, id).await;

    let signed = Signed::new("msg_1", &received(&reference, "T1", "125.00"));
    for _ in 0..3 {
        assert_eq!(send(signed.request(&site.nobody())).await.ok()["kept"], 1);
    }
    // The lifetime is over by the date that the bridge tells.
    stands(&player, id, "paid_late").await;
    assert_eq!(coins(&player).await, 250);
    // Another message about the same transfer, and one about a transfer in another currency.
    send(Signed::new("msg_2", &received(&reference, "T1", "125.00")).request(&site.nobody())).await.ok();
    let mut foreign = received(&reference, "T2", "125.00");
    foreign["data"]["currency"] = "BRL".into();
    send(Signed::new("msg_3", &foreign).request(&site.nobody())).await.ok();
    stands(&player, id, "review").await;
    assert_eq!(coins(&player).await, 250);
    // A return is of the payment that its transfer was for, whatever else it names; and of no more than came.
    let other = player.post("/payments/instant/qrcode", json!({ "coins": 250 })).await.result();
    let other = self::reference(&site, other["payment_id"].as_str().unwrap()).await;
    let too_much = json!({ "type": "payment.returned", "data": {
        "end_to_end_id": "T1", "refund_id": "R0", "amount": "125.01", "currency": "THB",
        "returned_at": "2030-01-02T00:00:00Z"
    } });
    send(Signed::new("msg_5", &too_much).request(&site.nobody())).await.ok();
    send(Signed::new("msg_6", &received(&other, "T1", "125.00")).request(&site.nobody())).await.ok();
    site.all_read(&player).await;
    assert_eq!(site.number("select count(*) from payment_notifications where state = 'parked'").await, 2);
    assert_eq!(coins(&player).await, 250);
    let returned = json!({ "type": "payment.returned", "data": {
        "reference": other, "end_to_end_id": "T1", "refund_id": "R1", "amount": "125.00", "currency": "THB",
        "returned_at": "2030-01-02T00:00:00Z", "reason": "Asked for."
    } });
    send(Signed::new("msg_4", &returned).request(&site.nobody())).await.ok();
    site.all_read(&player).await;
    assert_eq!(coins(&player).await, 0);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signed_notification_that_makes_no_sense_is_parked() {
    let site = manual_site().await;
    let player = site.player("mira").await;
    for (number, body) in [
        json!({}),
        json!({ "type": "invoice.paid", "data": {} }),
        json!({ "type": "payment.received" }),
        received("NOBODY", "T1", "1.00"),
        received("NOBODY", "T1", "-1.00"),
        received("NOBODY", "T1", "1.001"),
        received("NOBODY", "T\u{0}", "1.00"),
        received("../\u{0}", "T1", "1.00"),
    ]
    .iter()
    .enumerate()
    {
        send(Signed::new(&format!("msg_{number}"), body).request(&site.nobody())).await.ok();
    }
    site.all_read(&player).await;
    assert_eq!(
        site.number("select count(*) from payment_notifications where parked_at is not null").await,
        8
    );
    assert_eq!(site.number("select count(*) from payment_notifications where reason is not null").await, 8);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_tries_whether_anybody_answers_is_answered() {
    let site = Site::start().await;
    let url = format!("{PATH}?secret={WEBHOOK_SECRET}");
    for body in ["", "{}", r#"{"evento":"teste_webhook"}"#, r#"{"pix":[]}"#] {
        let answer = send(site.nobody().request(Method::POST, &url).body(body)).await;
        assert_eq!(answer.ok()["kept"], 0, "{body}");
    }
    // Some append /pix to the address as a text.
    send(site.nobody().request(Method::POST, &format!("{url}/pix"))).await.ok();
    send(site.nobody().request(Method::POST, &format!("{PATH}/pix?secret={WEBHOOK_SECRET}"))).await.ok();
    let deep = format!(r#"{{"deep":{}{}}}"#, "[".repeat(64), "]".repeat(64));
    for (body, pointer) in
        [("[]", ""), ("x", ""), (r#"{"pix":{}}"#, "/pix"), (r#"{"pix":[{"end"#, ""), (&deep, "")]
    {
        send(site.nobody().request(Method::POST, &url).body(body.to_owned())).await.invalid(pointer);
    }
    site.nobody().get(&url).await.problem(405, "method_not_allowed");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_cannot_be_kept_is_not_taken() {
    let link = super::link::Link::to(&super::support::Options::default().amqp_url).await;
    let site = Site::with(Options { amqp_url: link.url.clone(), ..Options::default() }).await;
    link.cut();
    let body = json!({ "pix": [{ "endToEndId": "E1", "txid": "t" }] });
    let url = format!("{PATH}?secret={WEBHOOK_SECRET}");
    let answer = site.nobody().post(&url, body.clone()).await;
    assert!(answer.headers.contains_key("retry-after"));
    answer.problem(503, "queue_unavailable");
    link.mend();
    site.stop().await;
}

/// How requests go wrong.
#[derive(Debug, Clone, Copy)]
enum Wrong {
    NoProof,
    ShortSecret,
    OtherSecret,
    SecretElsewhere,
    OtherSignature,
    OtherBody,
    OtherId,
    TruncatedBody,
    Stale,
    FromTheFuture,
    NoTimestamp,
    NoPrefix,
}

const WRONG: [Wrong; 12] = [
    Wrong::NoProof,
    Wrong::ShortSecret,
    Wrong::OtherSecret,
    Wrong::SecretElsewhere,
    Wrong::OtherSignature,
    Wrong::OtherBody,
    Wrong::OtherId,
    Wrong::TruncatedBody,
    Wrong::Stale,
    Wrong::FromTheFuture,
    Wrong::NoTimestamp,
    Wrong::NoPrefix,
];

fn forged(nobody: &Caller, wrong: Wrong, number: usize) -> RequestBuilder {
    let body = received("REFERENCE", &format!("T{number}"), "100.00");
    let pix = json!({ "pix": [{ "endToEndId": format!("E{number}"), "txid": "0".repeat(32) }] }).to_string();
    let post = |path: &str| nobody.request(Method::POST, path).body(pix.clone());
    let now = chrono::Utc::now().timestamp();
    let mut signed = Signed::new(&format!("msg_{number}"), &body);
    match wrong {
        Wrong::NoProof => return post(PATH),
        Wrong::ShortSecret => return post(&format!("{PATH}?secret={}", &WEBHOOK_SECRET[..number % 32])),
        Wrong::OtherSecret => return post(&format!("{PATH}/pix?secret={number:032x}")),
        Wrong::SecretElsewhere => {
            return post(PATH).header("secret", WEBHOOK_SECRET).bearer_auth(WEBHOOK_SECRET);
        }
        Wrong::OtherSignature => {
            signed.signature = format!("v1,{}", STANDARD.encode(number.to_be_bytes().repeat(4)))
        }
        Wrong::OtherBody => {
            let byte = number % signed.body.len();
            signed.body.replace_range(byte..=byte, "~");
        }
        Wrong::OtherId => signed.id.push('x'),
        Wrong::TruncatedBody => signed.body.truncate(number % signed.body.len()),
        Wrong::Stale => signed = Signed::at("msg", &body, now - 301 - number as i64),
        Wrong::FromTheFuture => signed = Signed::at("msg", &body, now + 310 + number as i64),
        Wrong::NoTimestamp => return post(PATH).header("webhook-signature", signed.signature),
        Wrong::NoPrefix => signed.signature = signed.signature[3..].to_owned(),
    }
    signed.request(nobody)
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_forged_notifications_come_to_nothing() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let told = site.number("select count(*) from payment_notifications").await;
    let forgers = (0..20).map(|forger| {
        let nobody = site.nobody();
        tokio::spawn(async move {
            for number in (forger..10_000).step_by(20) {
                let wrong = WRONG[number % WRONG.len()];
                let answer = send(forged(&nobody, wrong, number)).await;
                assert_eq!(
                    (answer.status, &answer.body["code"]),
                    (401, &json!("unauthorized")),
                    "{wrong:?} {number}"
                );
            }
        })
    });
    for forger in forgers.collect::<Vec<_>>() {
        forger.await.unwrap();
    }
    assert_eq!(site.number("select count(*) from payment_notifications").await, told);
    assert_eq!(site.number("select count(*) from receipts").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_guesses_is_slowed_down_and_who_knows_is_not() {
    let site = Site::with(Options { requests_per_minute: 20, ..Options::default() }).await;
    let mut refused = 0;
    for number in 0..40 {
        let answer = site.nobody().post(&format!("{PATH}?secret={number:032x}"), json!({})).await;
        assert!([401, 429].contains(&answer.status));
        refused += u32::from(answer.status == 429);
    }
    assert!(refused >= 15, "{refused}");
    for _ in 0..40 {
        site.nobody().post(&format!("{PATH}?secret={WEBHOOK_SECRET}"), json!({})).await.ok();
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_is_vouched_for_by_a_proxy_of_ours_alone() {
    let header = "X-Client-Verify";
    for (proxy, said, status) in [
        (true, Some("SUCCESS"), 200),
        (true, Some("FAILED"), 401),
        (true, None, 401),
        (false, Some("SUCCESS"), 401),
    ] {
        let certificate_header = Some(header.to_owned());
        let site = Site::with(Options { certificate_header, proxy, ..Options::default() }).await;
        let request = |path: &str| {
            let request = site.nobody().request(Method::POST, path);
            said.into_iter().fold(request, |request, said| request.header(header, said))
        };
        let answer = send(request(&format!("{PATH}?secret={WEBHOOK_SECRET}"))).await;
        assert_eq!(answer.status, status, "{proxy} {said:?}");
        // The secret is asked for all the same.
        assert_eq!(send(request(PATH)).await.status, 401);
        site.finish().await;
    }
}
