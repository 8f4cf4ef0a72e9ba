//! Money of another amount, for another key, or counted more than once.

use serde_json::json;

use crate::support::{
    bank::{Bank, PIX_KEY},
    options::WEBHOOK_SECRET,
    payment::{coin_balance, create_payment, payload, payment_id, wait_for_status},
};

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_copies_of_a_notification_credit_coins_once() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    let paid = json!({ "payload": payment["payload"], "notify": false });
    let end_to_end_id = bank.pay_with(paid).await.remove(0);
    let txid = payment_id(&payment).replace('-', "");
    let body = json!({ "pix": [{
        "endToEndId": end_to_end_id, "txid": txid, "chave": PIX_KEY, "valor": "100.00",
        "horario": "2030-01-01T00:00:00Z"
    }] });
    let copies = (0..200).map(|number| {
        let (visitor, body) = (site.visitor(), body.clone());
        // Banks call either of the two paths.
        let path = if number % 2 == 0 { "webhook" } else { "webhook/pix" };
        tokio::spawn(async move {
            visitor.post(&format!("/payments/instant/{path}?secret={WEBHOOK_SECRET}"), body).await.ok()
        })
    });
    for copy in copies.collect::<Vec<_>>() {
        assert_eq!(copy.await.unwrap()["kept"], 1);
    }
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.wait_until_notifications_are_processed(&player).await;
    assert_eq!(coin_balance(&player).await, 1100);
    assert_eq!(site.count("select count(*) from receipts").await, 1);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_that_differs_by_a_cent_is_credited_at_its_value() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    for (name, how, status, credited) in [
        // Without the discount of the package, 1.00 BRL is 10 coins.
        ("under", "under", "underpaid", 999),
        ("over", "over", "overpaid", 1100),
        ("twice", "twice", "overpaid", 2200),
        ("late", "late", "paid_late", 1100),
    ] {
        let player = site.player(name).await;
        let payment = create_payment(&player).await;
        bank.pay(payload(&payment), how).await;
        let state = wait_for_status(&player, payment_id(&payment), status).await;
        assert_eq!((&state["credited"], coin_balance(&player).await), (&json!(credited), credited), "{how}");
        let cancel = format!("/payments/{}/cancel", payment_id(&payment));
        player.post(&cancel, json!({})).await.problem(409, "payment_not_cancellable");
    }
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_missing_amount_completes_an_underpaid_payment() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "amount": "60.00" })).await;
    assert_eq!(wait_for_status(&player, payment_id(&payment), "underpaid").await["credited"], 600);
    bank.pay_with(json!({ "payload": payment["payload"], "amount": "40.00" })).await;
    assert_eq!(wait_for_status(&player, payment_id(&payment), "paid").await["credited"], 1100);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_for_another_key_is_held_for_review() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.set_faults(json!({ "api": { "wrong_chave": 1000 } })).await;
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "review").await;
    assert_eq!(coin_balance(&player).await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
