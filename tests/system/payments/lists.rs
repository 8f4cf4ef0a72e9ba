//! The list of a player's payments.

use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::Client,
    community::StaffRole,
    payment::{create_payment, paid_payment, payment_id, wait_for_status},
};

/// The items of the list, and the place after them.
async fn payments(player: &Client, page: &str) -> (Vec<Value>, Option<String>) {
    let list = player.get(&format!("/payments/list/1/{page}")).await.ok();
    (list["items"].as_array().unwrap().clone(), list["next"].as_str().map(str::to_owned))
}

/// The payment as its own endpoint returns it.
async fn single(player: &Client, payment: &Value) -> Value {
    player.get(&format!("/payments/{}", payment_id(payment))).await.ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_lists_own_payments_newest_first() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let paid = paid_payment(&bank, &mira).await;
    let cancelled = create_payment(&mira).await;
    let of_tom = create_payment(&tom).await;
    let open = create_payment(&mira).await;
    mira.post(&format!("/payments/{}/cancel", payment_id(&cancelled)), json!({})).await.result();

    let expected =
        vec![single(&mira, &open).await, single(&mira, &cancelled).await, single(&mira, &paid).await];
    let statuses: Vec<_> = expected.iter().map(|payment| &payment["status"]).collect();
    assert_eq!(statuses, ["pending", "cancelled", "paid"]);
    assert_eq!(payments(&mira, "10").await, (expected.clone(), None));
    let response = mira.get("/payments/list/1/10").await;
    assert_eq!(response.header("cache-control"), "private, no-cache");
    assert_eq!(response.ok()["total"], 3);

    // By number, and by the place after the last item. A newer payment does not move the place.
    let second = mira.get("/payments/list/2/2").await.ok();
    assert_eq!((&second["items"], second.get("next")), (&json!(expected[2..]), None));
    let (first, next) = payments(&mira, "2").await;
    assert_eq!(first, expected[..2]);
    create_payment(&mira).await;
    let after = format!("2?after={}", next.unwrap());
    assert_eq!(payments(&mira, &after).await, (expected[2..].to_vec(), None));

    // An administrator reads any payment, and lists only own ones here.
    assert_eq!(payments(&tom, "10").await, (vec![single(&tom, &of_tom).await], None));
    assert_eq!(payments(&tom, &after).await.0, [] as [Value; 0]);
    assert_eq!(payments(&admin, "10").await.0, [] as [Value; 0]);
    site.visitor().get("/payments/list/1/10").await.problem(401, "unauthorized");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refunds_and_expiry_show_in_the_lists() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (mira, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = paid_payment(&bank, &mira).await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    bank.set_faults(json!({ "api": { "devolucao_fails": 1 } })).await;
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    wait_for_status(&mira, payment_id(&payment), "paid").await;
    let half = json!({ "amount": { "amount": "50.00", "currency": "BRL" }, "reason": "A mistake." });
    admin.post(&refund, half).await.result();
    wait_for_status(&mira, payment_id(&payment), "partially_refunded").await;
    let (listed, _) = payments(&mira, "10").await;
    assert_eq!((&listed[0]["status"], &listed[0]["credited"]), (&json!("partially_refunded"), &json!(500)));
    assert_eq!(listed[0]["received"], json!({ "amount": "100.00", "currency": "BRL" }));

    // The coins of the refund that failed were credited again.
    let history = mira.get("/accounts/coins/1/10").await.ok();
    let entries = history["items"].as_array().unwrap().iter();
    let entries: Vec<_> = entries.map(|entry| json!([entry["kind"], entry["coins"]])).collect();
    assert_eq!(
        entries,
        [json!(["refund", -600]), json!(["credit", 1100]), json!(["refund", -1100]), json!(["credit", 1100])]
    );
    for entry in history["items"].as_array().unwrap() {
        assert_eq!(entry["payment_id"], payment["payment_id"], "{entry}");
    }

    let open = create_payment(&mira).await;
    let expire =
        "update payments set expires_at = now() where payload is not null and kept_state = 'pending'";
    site.execute(expire).await;
    let (listed, _) = payments(&mira, "10").await;
    assert_eq!((&listed[0]["payment_id"], &listed[0]["status"]), (&open["payment_id"], &json!("expired")));
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
