//! The control API.

use std::collections::HashSet;

use guildhall_sandbox::config::Config;
use serde_json::{Value, json};

use crate::support::{ALL_TIME, KEY, fast_config, start, txid};

#[tokio::test]
async fn payer_pays_a_qr_code_in_every_variant() {
    let (_sandbox, client, _receiver) = start(fast_config()).await;
    let created = client.create_charge(&txid("a")).await;
    let code = &created["pixCopiaECola"];
    let pay = async |body: Value| client.post("/sandbox/pay", body).await;
    for (how, amount) in [("exact", "10.00"), ("under", "9.99"), ("over", "10.01"), ("twice", "10.00")] {
        let (status, paid) = pay(json!({ "payload": code, "how": how })).await;
        assert_eq!((status, &paid["pix"][0]["valor"]), (201, &json!(amount)), "{how}");
        assert_eq!(paid["pix"].as_array().unwrap().len(), if how == "twice" { 2 } else { 1 });
    }
    let (_, custom) =
        pay(json!({ "payload": code, "amount": "3.21", "info": "thanks", "notify": false })).await;
    assert_eq!(
        (&custom["pix"][0]["valor"], &custom["pix"][0]["infoPagador"]),
        (&json!("3.21"), &json!("thanks"))
    );
    let (_, late) = pay(json!({ "txid": txid("a"), "how": "late" })).await;
    let time = |value: &Value| value.as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let seconds = (time(&late["pix"][0]["horario"]) - time(&created["calendario"]["criacao"])).num_seconds();
    assert_eq!(seconds, 3601);

    let damaged = code.as_str().unwrap().replace("SANDBOX", "SANDBOY");
    assert_eq!(pay(json!({ "payload": damaged })).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("missing") })).await.0, 404);
    assert_eq!(pay(json!({})).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("a"), "amount": "0.01", "how": "under" })).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("a"), "amount": "9999999999.99", "how": "over" })).await.0, 400);
    let (_, paid) = client.get(&format!("/cob/{}", txid("a"))).await;
    let ids: HashSet<String> =
        paid["pix"].as_array().unwrap().iter().map(|pix| pix["endToEndId"].to_string()).collect();
    assert_eq!(ids.len(), 7);
}

#[tokio::test]
async fn payment_without_a_charge_is_received() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    let (status, paid) = client.post("/sandbox/pay-static", json!({ "amount": "5.00" })).await;
    assert_eq!((status, &paid["pix"][0]["chave"]), (201, &json!(KEY)));
    assert!(receiver.next().await.payment()["txid"].is_null());
    let unknown = txid("unknown");
    let with_txid = json!({ "amount": "5.00", "txid": unknown, "key": KEY });
    assert_eq!(client.post("/sandbox/pay-static", with_txid).await.0, 201);
    assert_eq!(receiver.next().await.payment()["txid"], unknown);
    assert_eq!(client.get(&format!("/cob/{unknown}")).await.0, 404);
    assert_eq!(client.get(&format!("/pix?{ALL_TIME}&txIdPresente=false")).await.1["pix"], paid["pix"]);
    assert_eq!(client.post("/sandbox/pay-static", json!({ "amount": "5.00", "key": "else" })).await.0, 400);
    // From the documentation of starkbank/brcode-python: a static code with an amount and a reference.
    let code = "00020126360014br.gov.bcb.pix0114arya@stark.com5204000053039865406125.005802BR5925Arya Stark with a \
                very lo6015Pindamonhangaba62290525verylongreconciliationidt630405B7";
    assert_eq!(
        client.post("/sandbox/pay", json!({ "payload": code })).await.0,
        400,
        "the key belongs to another receiver"
    );
    let (_, list) = client.get("/sandbox/charges").await;
    assert_eq!(list["other_pix"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn payers_bank_reverses_a_payment() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    let payment = client.pay(&txid("a")).await;
    receiver.next().await;
    let reverse = async |amount: Value| {
        let body = json!({ "end_to_end_id": payment["endToEndId"], "amount": amount });
        client.post("/sandbox/reverse", body).await.0
    };
    assert_eq!(reverse(json!("4.00")).await, 201);
    let reversed = receiver.next().await.payment();
    assert_eq!(reversed["devolucoes"][0]["natureza"], "MED_FRAUDE");
    assert_eq!(reverse(json!("6.01")).await, 409);
    assert_eq!(reverse(Value::Null).await, 201);
    assert_eq!(receiver.next().await.payment()["devolucoes"][1]["valor"], "6.00");
    assert_eq!(reverse(Value::Null).await, 409, "nothing is left");
}

#[tokio::test]
async fn payer_is_listed_but_not_in_notifications() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    let payer = json!({ "cpf": "12345678909", "nome": "Francisco da Silva" });
    let (_, paid) = client.post("/sandbox/pay", json!({ "txid": txid("a"), "payer": payer })).await;
    assert_eq!(paid["pix"][0]["pagador"], payer);
    assert!(receiver.next().await.payment()["pagador"].is_null());
}

#[tokio::test]
async fn signed_notification_is_sent_with_and_without_faults() {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD".to_owned();
    let (_sandbox, client, mut receiver) =
        start(Config { signed_secret: Some(secret.clone()), ..fast_config() }).await;
    let url = format!("{}/signed", receiver.url);
    let mut signatures = HashSet::new();
    for fault in ["none", "bad_signature", "stale", "future", "tampered", "unsigned"] {
        let body = json!({ "url": url, "id": "msg_1", "body": { "amount": "1.00" }, "fault": fault });
        let (status, sent) = client.post("/sandbox/signed", body).await;
        assert_eq!((status, &sent["status"], &sent["id"]), (200, &json!(200), &json!("msg_1")));
        let notification = receiver.next().await;
        assert_eq!(notification.headers["webhook-id"], "msg_1");
        assert_eq!(notification.headers.contains_key("webhook-signature"), fault != "unsigned");
        signatures.extend(notification.headers.get("webhook-signature").cloned());
    }
    assert!(signatures.len() >= 4, "stale, future and bad signatures differ from the valid one");
    let body = json!({ "url": "http://127.0.0.1:1", "secret": secret, "body": 1 });
    let (_, failed) = client.post("/sandbox/signed", body).await;
    assert!(failed["status"].is_null() && failed["error"].is_string());
    assert_eq!(client.post("/sandbox/signed", json!({ "body": 1 })).await.0, 400, "there is no URL");
    assert_eq!(client.get("/healthz").await.0, 200);
}
