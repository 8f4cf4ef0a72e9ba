use std::collections::HashSet;

use guildhall_sandbox::config::Config;
use serde_json::{Value, json};

use crate::support::{ALWAYS, KEY, quick, start, txid};

#[tokio::test]
async fn a_payer_scans_the_code_and_pays_in_every_way() {
    let (_sandbox, caller, _receiver) = start(quick()).await;
    let made = caller.charge(&txid("a")).await;
    let code = &made["pixCopiaECola"];
    let pay = async |body: Value| caller.post("/sandbox/pay", body).await;
    for (how, amount) in [("exact", "10.00"), ("under", "9.99"), ("over", "10.01"), ("twice", "10.00")] {
        let (status, paid) = pay(json!({ "payload": code, "how": how })).await;
        assert_eq!((status, &paid["pix"][0]["valor"]), (201, &json!(amount)), "{how}");
        assert_eq!(paid["pix"].as_array().unwrap().len(), if how == "twice" { 2 } else { 1 });
    }
    let (_, free) =
        pay(json!({ "payload": code, "amount": "3.21", "info": "thanks", "notify": false })).await;
    assert_eq!(
        (&free["pix"][0]["valor"], &free["pix"][0]["infoPagador"]),
        (&json!("3.21"), &json!("thanks"))
    );
    let (_, late) = pay(json!({ "txid": txid("a"), "how": "late" })).await;
    let at = |value: &Value| value.as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let seconds = (at(&late["pix"][0]["horario"]) - at(&made["calendario"]["criacao"])).num_seconds();
    assert_eq!(seconds, 3601);

    let damaged = code.as_str().unwrap().replace("SANDBOX", "SANDBOY");
    assert_eq!(pay(json!({ "payload": damaged })).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("nobody") })).await.0, 404);
    assert_eq!(pay(json!({})).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("a"), "amount": "0.01", "how": "under" })).await.0, 400);
    assert_eq!(pay(json!({ "txid": txid("a"), "amount": "9999999999.99", "how": "over" })).await.0, 400);
    let (_, paid) = caller.get(&format!("/cob/{}", txid("a"))).await;
    let ids: HashSet<String> =
        paid["pix"].as_array().unwrap().iter().map(|pix| pix["endToEndId"].to_string()).collect();
    assert_eq!(ids.len(), 7);
}

#[tokio::test]
async fn money_arrives_without_a_charge() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    let (status, paid) = caller.post("/sandbox/pay-static", json!({ "amount": "5.00" })).await;
    assert_eq!((status, &paid["pix"][0]["chave"]), (201, &json!(KEY)));
    assert!(receiver.next().await.pix()["txid"].is_null());
    let unknown = txid("unknown");
    let with_txid = json!({ "amount": "5.00", "txid": unknown, "key": KEY });
    assert_eq!(caller.post("/sandbox/pay-static", with_txid).await.0, 201);
    assert_eq!(receiver.next().await.pix()["txid"], unknown);
    assert_eq!(caller.get(&format!("/cob/{unknown}")).await.0, 404);
    assert_eq!(caller.get(&format!("/pix?{ALWAYS}&txIdPresente=false")).await.1["pix"], paid["pix"]);
    assert_eq!(caller.post("/sandbox/pay-static", json!({ "amount": "5.00", "key": "else" })).await.0, 400);
    // From the documents of starkbank/brcode-python: a static code with an amount and a reference.
    let code = "00020126360014br.gov.bcb.pix0114arya@stark.com5204000053039865406125.005802BR5925Arya Stark with a \
                very lo6015Pindamonhangaba62290525verylongreconciliationidt630405B7";
    assert_eq!(caller.post("/sandbox/pay", json!({ "payload": code })).await.0, 400, "the key is not ours");
    let (_, list) = caller.get("/sandbox/charges").await;
    assert_eq!(list["other_pix"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_payers_bank_takes_money_back_unasked() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    let pix = caller.pay(&txid("a")).await;
    receiver.next().await;
    let reverse = async |amount: Value| {
        let body = json!({ "end_to_end_id": pix["endToEndId"], "amount": amount });
        caller.post("/sandbox/reverse", body).await.0
    };
    assert_eq!(reverse(json!("4.00")).await, 201);
    let told = receiver.next().await.pix();
    assert_eq!(told["devolucoes"][0]["natureza"], "MED_FRAUDE");
    assert_eq!(reverse(json!("6.01")).await, 409);
    assert_eq!(reverse(Value::Null).await, 201);
    assert_eq!(receiver.next().await.pix()["devolucoes"][1]["valor"], "6.00");
    assert_eq!(reverse(Value::Null).await, 409, "nothing is left");
}

#[tokio::test]
async fn a_payer_is_told_to_those_who_ask_and_to_no_webhook() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    let payer = json!({ "cpf": "12345678909", "nome": "Francisco da Silva" });
    let (_, paid) = caller.post("/sandbox/pay", json!({ "txid": txid("a"), "payer": payer })).await;
    assert_eq!(paid["pix"][0]["pagador"], payer);
    assert!(receiver.next().await.pix()["pagador"].is_null());
}

#[tokio::test]
async fn a_signed_notification_is_sent_and_spoiled() {
    let secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD".to_owned();
    let (_sandbox, caller, mut receiver) =
        start(Config { signed_secret: Some(secret.clone()), ..quick() }).await;
    let url = format!("{}/signed", receiver.url);
    let mut signatures = HashSet::new();
    for fault in ["none", "bad_signature", "stale", "future", "tampered", "unsigned"] {
        let body = json!({ "url": url, "id": "msg_1", "body": { "amount": "1.00" }, "fault": fault });
        let (status, sent) = caller.post("/sandbox/signed", body).await;
        assert_eq!((status, &sent["status"], &sent["id"]), (200, &json!(200), &json!("msg_1")));
        let taken = receiver.next().await;
        assert_eq!(taken.headers["webhook-id"], "msg_1");
        assert_eq!(taken.headers.contains_key("webhook-signature"), fault != "unsigned");
        signatures.extend(taken.headers.get("webhook-signature").cloned());
    }
    assert!(signatures.len() >= 4, "stale, future and bad ones differ from the good one");
    let body = json!({ "url": "http://127.0.0.1:1", "secret": secret, "body": 1 });
    let (_, failed) = caller.post("/sandbox/signed", body).await;
    assert!(failed["status"].is_null() && failed["error"].is_string());
    assert_eq!(caller.post("/sandbox/signed", json!({ "body": 1 })).await.0, 400, "where to?");
    assert_eq!(caller.get("/healthz").await.0, 200);
}
