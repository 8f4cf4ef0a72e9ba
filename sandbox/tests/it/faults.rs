use std::time::{Duration, Instant};

use poem::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ALWAYS, KEY, cob, quick, start, txid};

#[tokio::test]
async fn a_notification_is_repeated_until_it_is_taken() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    receiver.answers.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 2]);
    caller.charge(&txid("a")).await;
    let pix = caller.pay(&txid("a")).await;
    for _ in 0..3 {
        assert_eq!(receiver.next().await.pix(), pix);
    }
    receiver.answers.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 3]);
    caller.post("/sandbox/notify", json!({ "end_to_end_id": pix["endToEndId"] })).await;
    for _ in 0..3 {
        receiver.next().await;
    }
    // It has given up: the next to arrive is another one.
    caller.charge(&txid("b")).await;
    let other = caller.pay(&txid("b")).await;
    assert_eq!(receiver.next().await.pix(), other);
}

#[tokio::test]
async fn a_notification_is_dropped_doubled_or_late() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    caller.faults(json!({ "notifications": { "drop": 1 } })).await;
    caller.pay(&txid("a")).await;
    let second = caller.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.pix(), second);
    let (_, log) = caller.get("/sandbox/notifications").await;
    let dropped = log["notifications"].as_array().unwrap().iter();
    assert_eq!(dropped.filter(|attempt| attempt["error"] == "dropped by a fault").count(), 1);

    caller.faults(json!({ "notifications": { "duplicate": 1, "duplicate_times": 3 } })).await;
    let doubled = caller.pay(&txid("a")).await;
    for _ in 0..3 {
        assert_eq!(receiver.next().await.pix(), doubled);
    }
    caller.faults(json!({ "notifications": { "delay_ms": 200 } })).await;
    let start = Instant::now();
    caller.pay(&txid("a")).await;
    receiver.next().await;
    assert!(start.elapsed() >= Duration::from_millis(200));
    assert!(receiver.is_quiet());
}

#[tokio::test]
async fn a_notification_is_overtaken_by_the_next() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    caller.faults(json!({ "notifications": { "reorder": 1 } })).await;
    let first = caller.pay(&txid("a")).await;
    until_used(&caller, "/notifications/reorder").await;
    let second = caller.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.pix(), second);
    assert_eq!(receiver.next().await.pix(), first);
}

async fn until_used(caller: &crate::support::Caller, pointer: &str) {
    while caller.get("/sandbox/faults").await.1.pointer(pointer) != Some(&json!(0)) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_notification_says_what_is_not_so() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    let faults = json!({ "foreign_key": 1, "unknown_txid": 1, "bad_secret": 1 });
    caller.faults(json!({ "notifications": faults })).await;
    let pix = caller.pay(&txid("a")).await;
    let told = receiver.next().await;
    assert_ne!(told.pix()["chave"], KEY);
    assert_ne!(told.pix()["txid"], txid("a"));
    assert_eq!(told.pix()["endToEndId"], pix["endToEndId"]);
    assert_eq!(told.uri.query(), Some("secret=s3cretspoiled"));
    caller.faults(json!({ "notifications": { "truncated": 1 } })).await;
    caller.pay(&txid("a")).await;
    assert!(serde_json::from_str::<Value>(&receiver.next().await.body).is_err());
}

#[tokio::test]
async fn a_notification_arrives_before_the_charge_is_answered() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.faults(json!({ "notifications": { "before_created": 1, "before_created_ms": 300 } })).await;
    let (path, body) = (format!("/cob/{}", txid("a")), cob("10.00"));
    let mut put = std::pin::pin!(caller.put(&path, body));
    tokio::select! {
        biased;
        told = receiver.next() => assert_eq!(told.pix()["txid"], txid("a")),
        answer = &mut put => panic!("answered first: {answer:?}"),
    }
    let (status, made) = put.await;
    assert_eq!((status, &made["status"]), (201, &json!("ATIVA")));
    assert_eq!(caller.get(&path).await.1["status"], "CONCLUIDA");
}

#[tokio::test]
async fn a_call_is_refused_on_demand() {
    let (_sandbox, caller, _receiver) = start(quick()).await;
    let list = format!("/cob?{ALWAYS}");
    for (fault, status) in [
        (json!({ "error": 1 }), 503),
        (json!({ "error": 1, "error_status": 500 }), 500),
        (json!({ "error": { "probability": 1 } }), 503),
        (json!({ "rate_limited": 1, "retry_after": 7 }), 429),
        (json!({ "token_expired": 1 }), 401),
    ] {
        caller.faults(json!({ "api": fault })).await;
        assert_eq!(caller.get(&list).await.0, status, "{fault}");
        caller.faults(json!({})).await;
        assert_eq!(caller.get(&list).await.0, 200);
    }
    caller.faults(json!({ "api": { "error": 1, "only": "PUT /cob/" } })).await;
    assert_eq!(caller.get(&list).await.0, 200, "other calls are spared");
    assert_eq!(caller.put(&format!("/api/v2/cob/{}", txid("a")), cob("10.00")).await.0, 503);
    assert_eq!(caller.put(&format!("/cob/{}", txid("a")), cob("10.00")).await.0, 201);
    caller.faults(json!({ "api": { "slow_ms": 150 } })).await;
    let start = Instant::now();
    caller.get(&list).await;
    assert!(start.elapsed() >= Duration::from_millis(150));
}

#[tokio::test]
async fn a_connection_is_cut_before_or_after_the_work() {
    let (_sandbox, caller, _receiver) = start(quick()).await;
    let path = format!("/cob/{}", txid("a"));
    let put = async || caller.try_call(Method::PUT, &path, &cob("10.00")).await;
    caller.faults(json!({ "api": { "timeout": 1, "timeout_ms": 50 } })).await;
    assert!(put().await.is_none());
    assert_eq!(caller.get(&path).await.0, 404, "nothing was done");
    caller.faults(json!({ "api": { "drop_after_apply": 1 } })).await;
    assert_eq!(caller.get(&format!("/cob?{ALWAYS}")).await.0, 200, "reads are spared");
    assert!(put().await.is_none());
    assert_eq!(caller.get(&path).await.0, 200, "it was done");
    assert_eq!(put().await.unwrap().0, 201);
}

#[tokio::test]
async fn a_charge_tells_a_foreign_key_and_a_refund_fails() {
    let (_sandbox, caller, mut receiver) = start(quick()).await;
    caller.charge(&txid("a")).await;
    caller.faults(json!({ "api": { "wrong_chave": 1, "devolucao_fails": 1 } })).await;
    let path = format!("/cob/{}", txid("a"));
    assert_ne!(caller.get(&path).await.1["chave"], KEY);
    assert_eq!(caller.get(&path).await.1["chave"], KEY);
    let pix = caller.pay(&txid("a")).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/", pix["endToEndId"].as_str().unwrap());
    caller.put(&format!("{refund}1"), json!({ "valor": "10.00" })).await;
    assert_eq!(receiver.next().await.pix()["devolucoes"][0]["status"], "NAO_REALIZADO");
    assert!(caller.get(&format!("{refund}1")).await.1["motivo"].is_string());
    assert_eq!(
        caller.put(&format!("{refund}2"), json!({ "valor": "10.00" })).await.0,
        201,
        "it counts no more"
    );
}

#[tokio::test]
async fn an_unknown_fault_is_refused() {
    let (_sandbox, caller, _receiver) = start(quick()).await;
    for bad in [
        json!({ "notification": {} }),
        json!({ "api": { "eror": 1 } }),
        json!({ "api": { "error": -1 } }),
        json!({ "api": { "error": { "chance": 0.5 } } }),
    ] {
        assert_eq!(caller.put("/sandbox/faults", bad).await.0, 400);
    }
}
