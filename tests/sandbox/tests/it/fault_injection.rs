//! Fault injection.

use std::time::{Duration, Instant};

use poem::http::Method;
use poem::http::StatusCode;
use serde_json::{Value, json};

use crate::support::{ALL_TIME, KEY, charge_body, fast_config, start, txid};

#[tokio::test]
async fn notification_is_retried_until_it_is_accepted() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    receiver.responses.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 2]);
    client.create_charge(&txid("a")).await;
    let payment = client.pay(&txid("a")).await;
    for _ in 0..3 {
        assert_eq!(receiver.next().await.payment(), payment);
    }
    receiver.responses.lock().unwrap().extend([StatusCode::SERVICE_UNAVAILABLE; 3]);
    client.post("/sandbox/notify", json!({ "end_to_end_id": payment["endToEndId"] })).await;
    for _ in 0..3 {
        receiver.next().await;
    }
    // The attempts have ended, so the next request is another notification.
    client.create_charge(&txid("b")).await;
    let other = client.pay(&txid("b")).await;
    assert_eq!(receiver.next().await.payment(), other);
}

#[tokio::test]
async fn notification_is_dropped_duplicated_and_delayed() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    client.set_faults(json!({ "notifications": { "drop": 1 } })).await;
    client.pay(&txid("a")).await;
    client.wait_until_fault_is_used("/notifications/drop").await;
    let second = client.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.payment(), second);
    let (_, log) = client.get("/sandbox/notifications").await;
    let attempts = log["notifications"].as_array().unwrap().iter();
    assert_eq!(attempts.filter(|attempt| attempt["error"] == "dropped by a fault").count(), 1);

    client.set_faults(json!({ "notifications": { "duplicate": 1, "duplicate_times": 3 } })).await;
    let duplicated = client.pay(&txid("a")).await;
    for _ in 0..3 {
        assert_eq!(receiver.next().await.payment(), duplicated);
    }
    client.set_faults(json!({ "notifications": { "delay_ms": 200 } })).await;
    let start = Instant::now();
    client.pay(&txid("a")).await;
    receiver.next().await;
    assert!(start.elapsed() >= Duration::from_millis(200));
    assert!(receiver.is_empty());
}

#[tokio::test]
async fn notification_is_sent_after_the_next_one() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    client.set_faults(json!({ "notifications": { "reorder": 1 } })).await;
    let first = client.pay(&txid("a")).await;
    client.wait_until_fault_is_used("/notifications/reorder").await;
    let second = client.pay(&txid("a")).await;
    assert_eq!(receiver.next().await.payment(), second);
    assert_eq!(receiver.next().await.payment(), first);
}

#[tokio::test]
async fn notification_has_wrong_content() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    let faults = json!({ "foreign_key": 1, "unknown_txid": 1, "bad_secret": 1 });
    client.set_faults(json!({ "notifications": faults })).await;
    let payment = client.pay(&txid("a")).await;
    let notification = receiver.next().await;
    assert_ne!(notification.payment()["chave"], KEY);
    assert_ne!(notification.payment()["txid"], txid("a"));
    assert_eq!(notification.payment()["endToEndId"], payment["endToEndId"]);
    assert_eq!(notification.uri.query(), Some("secret=s3cretwrong"));
    client.set_faults(json!({ "notifications": { "truncated": 1 } })).await;
    client.pay(&txid("a")).await;
    assert!(serde_json::from_str::<Value>(&receiver.next().await.body).is_err());
}

#[tokio::test]
async fn notification_arrives_before_the_response_of_the_charge() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    let path = format!("/cob/{}", txid("a"));
    let hour = json!({ "notifications": { "before_created": 1, "before_created_ms": 3_600_000 } });
    client.set_faults(hour).await;
    let mut put = std::pin::pin!(client.put(&path, charge_body("10.00")));
    tokio::select! {
        notification = receiver.next() => assert_eq!(notification.payment()["txid"], txid("a")),
        response = &mut put => panic!("the response came first: {response:?}"),
    }
    assert_eq!(client.get(&path).await.1["status"], "CONCLUIDA");
}

#[tokio::test]
async fn response_of_a_charge_paid_early_shows_it_unpaid() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    let path = format!("/cob/{}", txid("a"));
    let delay = json!({ "notifications": { "before_created": 1, "before_created_ms": 300 } });
    client.set_faults(delay).await;
    let start = Instant::now();
    let (status, created) = client.put(&path, charge_body("10.00")).await;
    assert!(start.elapsed() >= Duration::from_millis(300));
    assert_eq!((status, &created["status"]), (201, &json!("ATIVA")));
    assert_eq!(receiver.next().await.payment()["txid"], txid("a"));
    assert_eq!(client.get(&path).await.1["status"], "CONCLUIDA");
}

#[tokio::test]
async fn request_fails_on_demand() {
    let (_sandbox, client, _receiver) = start(fast_config()).await;
    let list = format!("/cob?{ALL_TIME}");
    for (fault, status) in [
        (json!({ "error": 1 }), 503),
        (json!({ "error": 1, "error_status": 500 }), 500),
        (json!({ "error": { "probability": 1 } }), 503),
        (json!({ "rate_limited": 1, "retry_after": 7 }), 429),
        (json!({ "token_expired": 1 }), 401),
    ] {
        client.set_faults(json!({ "api": fault })).await;
        assert_eq!(client.get(&list).await.0, status, "{fault}");
        client.set_faults(json!({})).await;
        assert_eq!(client.get(&list).await.0, 200);
    }
    client.set_faults(json!({ "api": { "error": 1, "only": "PUT /cob/" } })).await;
    assert_eq!(client.get(&list).await.0, 200, "the fault is limited to other requests");
    assert_eq!(client.put(&format!("/api/v2/cob/{}", txid("a")), charge_body("10.00")).await.0, 503);
    assert_eq!(client.put(&format!("/cob/{}", txid("a")), charge_body("10.00")).await.0, 201);
    client
        .set_faults(json!({ "api": { "error": 1, "error_status": 400, "only": "POST /oauth/token" } }))
        .await;
    assert_eq!(client.get(&list).await.0, 200, "the fault is limited to access tokens");
    let (status, _) = client.request_token("grant_type=client_credentials", Some("sandbox-secret")).await;
    assert_eq!(status, 400);
    client.set_faults(json!({ "api": { "slow_ms": 150 } })).await;
    let start = Instant::now();
    client.get(&list).await;
    assert!(start.elapsed() >= Duration::from_millis(150));
}

#[tokio::test]
async fn connection_is_closed_before_or_after_the_write() {
    let (_sandbox, client, _receiver) = start(fast_config()).await;
    let path = format!("/cob/{}", txid("a"));
    let put = async || client.try_send(Method::PUT, &path, &charge_body("10.00")).await;
    client.set_faults(json!({ "api": { "timeout": 1, "timeout_ms": 50 } })).await;
    assert!(put().await.is_none());
    assert_eq!(client.get(&path).await.0, 404, "the write had no effect");
    client.set_faults(json!({ "api": { "drop_after_apply": 1 } })).await;
    assert_eq!(client.get(&format!("/cob?{ALL_TIME}")).await.0, 200, "reads have no such fault");
    assert!(put().await.is_none());
    assert_eq!(client.get(&path).await.0, 200, "the write took effect");
    assert_eq!(put().await.unwrap().0, 201);
}

#[tokio::test]
async fn charge_shows_a_foreign_key_and_refund_fails() {
    let (_sandbox, client, mut receiver) = start(fast_config()).await;
    client.create_charge(&txid("a")).await;
    client.set_faults(json!({ "api": { "wrong_chave": 1, "devolucao_fails": 1 } })).await;
    let path = format!("/cob/{}", txid("a"));
    assert_ne!(client.get(&path).await.1["chave"], KEY);
    assert_eq!(client.get(&path).await.1["chave"], KEY);
    let payment = client.pay(&txid("a")).await;
    receiver.next().await;
    let refund = format!("/pix/{}/devolucao/", payment["endToEndId"].as_str().unwrap());
    client.put(&format!("{refund}1"), json!({ "valor": "10.00" })).await;
    assert_eq!(receiver.next().await.payment()["devolucoes"][0]["status"], "NAO_REALIZADO");
    assert!(client.get(&format!("{refund}1")).await.1["motivo"].is_string());
    assert_eq!(
        client.put(&format!("{refund}2"), json!({ "valor": "10.00" })).await.0,
        201,
        "a failed refund does not reduce the refundable amount"
    );
}

#[tokio::test]
async fn unknown_fault_is_rejected() {
    let (_sandbox, client, _receiver) = start(fast_config()).await;
    for bad in [
        json!({ "notification": {} }),
        json!({ "api": { "eror": 1 } }),
        json!({ "api": { "error": -1 } }),
        json!({ "api": { "error": { "chance": 0.5 } } }),
    ] {
        assert_eq!(client.put("/sandbox/faults", bad).await.0, 400);
    }
}
