//! What has ruined others: notifications, amounts and times that are not as they should be. Each against the
//! bank, with the books checked afterwards.

use reqwest::Method;
use serde_json::json;

use super::{
    bank::{Bank, KEY},
    payments::{chest, coins, id, stands},
    support::{GivenRole, Options, WEBHOOK_SECRET},
};

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_copies_of_a_notification_credit_once() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    let paid = json!({ "payload": asked["payload"], "notify": false });
    let end_to_end_id = bank.do_pay(paid).await.remove(0);
    let txid = id(&asked).replace('-', "");
    let body = json!({ "pix": [{
        "endToEndId": end_to_end_id, "txid": txid, "chave": KEY, "valor": "100.00",
        "horario": "2030-01-01T00:00:00Z"
    }] });
    let copies = (0..200).map(|number| {
        let (nobody, body) = (site.nobody(), body.clone());
        // Both of the addresses by which banks call.
        let path = if number % 2 == 0 { "webhook" } else { "webhook/pix" };
        tokio::spawn(async move {
            nobody.post(&format!("/payments/instant/{path}?secret={WEBHOOK_SECRET}"), body).await.ok()
        })
    });
    for copy in copies.collect::<Vec<_>>() {
        assert_eq!(copy.await.unwrap()["kept"], 1);
    }
    stands(&player, id(&asked), "paid").await;
    site.all_read(&player).await;
    assert_eq!(coins(&player).await, 1100);
    assert_eq!(site.number("select count(*) from receipts").await, 1);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_overtakes_the_answer_is_no_stranger() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.faults(json!({ "notifications": { "before_created": 1, "before_created_ms": 1500 } })).await;
    let asked = chest(&player).await;
    stands(&player, id(&asked), "paid").await;
    site.all_read(&player).await;
    assert_eq!(
        site.number("select count(*) from payment_notifications where parked_at is not null").await,
        0
    );
    assert_eq!(coins(&player).await, 1100);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_that_is_off_by_a_cent_is_worth_what_it_is() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    for (name, how, status, credited) in [
        // Without the package's discount: 10 for a real.
        ("under", "under", "underpaid", 999),
        ("over", "over", "overpaid", 1100),
        ("twice", "twice", "overpaid", 2200),
        ("late", "late", "paid_late", 1100),
    ] {
        let player = site.player(name).await;
        let asked = chest(&player).await;
        bank.pay(asked["payload"].as_str().unwrap(), how).await;
        let state = stands(&player, id(&asked), status).await;
        assert_eq!((&state["credited"], coins(&player).await), (&json!(credited), credited), "{how}");
    }
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_an_underpaid_payment_makes_it_whole() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    bank.do_pay(json!({ "payload": asked["payload"], "amount": "60.00" })).await;
    assert_eq!(stands(&player, id(&asked), "underpaid").await["credited"], 600);
    bank.do_pay(json!({ "payload": asked["payload"], "amount": "40.00" })).await;
    assert_eq!(stands(&player, id(&asked), "paid").await["credited"], 1100);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_bank_says_too_often_too_late_or_in_another_order_changes_nothing() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let (first, second) = (chest(&player).await, chest(&player).await);
    bank.faults(json!({ "notifications": { "reorder": 1, "duplicate": 3, "duplicate_times": 5 } })).await;
    bank.pay(first["payload"].as_str().unwrap(), "exact").await;
    bank.went_wrong("reorder").await;
    let again = bank.pay(second["payload"].as_str().unwrap(), "exact").await;
    for payment in [&first, &second] {
        stands(&player, id(payment), "paid").await;
    }
    // Long after, and with nothing new in it.
    bank.told(10).await;
    bank.control(Method::POST, "/notify", json!({ "end_to_end_id": again[0] })).await;
    bank.told(15).await;
    // A page that is loaded again only reads.
    for _ in 0..20 {
        player.get(&format!("/payments/{}", id(&first))).await.ok();
    }
    site.all_read(&player).await;
    assert_eq!(coins(&player).await, 2200);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_nobody_told_of_is_found() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    bank.do_pay(json!({ "payload": asked["payload"], "notify": false })).await;
    bank.due(&site, "reconcile").await;
    stands(&player, id(&asked), "paid").await;
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_is_found_behind_a_charge_that_the_bank_tells_nothing_of() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let (silent, asked) = (chest(&player).await, chest(&player).await);
    let txid = id(&silent).replace('-', "");
    bank.faults(json!({ "api": { "only": format!("GET /cob/{txid}"), "error": 1000, "error_status": 400 } }))
        .await;
    for payment in [&silent, &asked] {
        bank.do_pay(json!({ "payload": payment["payload"], "notify": false })).await;
    }
    bank.due(&site, "reconcile").await;
    stands(&player, id(&asked), "paid").await;
    // Somebody hears of the other one.
    site.all_read(&player).await;
    let admin = site.with_role("boss", GivenRole::Admin).await;
    assert_eq!(admin.get("/admin/notifications?state=parked").await.ok()["total"], 1);
    bank.faults(json!({})).await;
    bank.due(&site, "reconcile").await;
    stands(&player, id(&silent), "paid").await;
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_is_looked_at_though_nobody_tells() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    bank.do_pay(json!({ "payload": asked["payload"], "notify": false })).await;
    bank.due(&site, "watch_charge").await;
    stands(&player, id(&asked), "paid").await;
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_payment_that_is_paid_counts() {
    let bank = Bank::start().await;
    let mut payments = bank.settings();
    payments.payment_lifetime = chrono::TimeDelta::seconds(1);
    let site = bank.site_with(Options { payments, ..Options::default() }).await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    let mut events =
        player.request(Method::GET, &format!("/payments/{}/events", id(&asked))).send().await.unwrap();
    let mut heard = String::new();
    while !heard.contains("event: expired") {
        heard.push_str(std::str::from_utf8(&events.chunk().await.unwrap().unwrap()).unwrap());
    }
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid_late").await;
    assert_eq!(coins(&player).await, 1100);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_payment_that_is_paid_counts() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    let (left, paid) = (chest(&player).await, chest(&player).await);
    let cancel = |payment: &serde_json::Value| format!("/payments/{}/cancel", id(payment));
    other.post(&cancel(&left), json!({})).await.problem(404, "payment_not_found");
    assert_eq!(player.post(&cancel(&left), json!({})).await.result()["status"], "cancelled");
    stands(&player, id(&left), "cancelled").await;
    bank.pay(paid["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&paid), "paid").await;
    player.post(&cancel(&paid), json!({})).await.problem(409, "payment_not_cancellable");
    // Money that comes all the same: paid before the bank heard of the cancellation.
    let raced = chest(&player).await;
    bank.faults(json!({ "api": { "only": "PATCH ", "slow_ms": 1500 } })).await;
    player.post(&cancel(&raced), json!({})).await.result();
    bank.pay(raced["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&raced), "paid").await;
    assert_eq!(coins(&player).await, 2200);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn money_for_another_key_waits_for_somebody_to_look() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    bank.faults(json!({ "api": { "wrong_chave": 1000 } })).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "review").await;
    assert_eq!(coins(&player).await, 0);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_fits_nothing_is_parked_and_can_be_replayed() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let (unknown, foreign) = (chest(&player).await, chest(&player).await);
    bank.control(Method::POST, "/pay-static", json!({ "amount": "5.00" })).await;
    bank.told(1).await;
    for (number, fault, payment) in [(2, "unknown_txid", &unknown), (3, "foreign_key", &foreign)] {
        bank.faults(json!({ "notifications": { fault: 1 } })).await;
        bank.pay(payment["payload"].as_str().unwrap(), "exact").await;
        bank.told(number).await;
    }
    site.all_read(&player).await;
    let parked = admin.get("/admin/notifications?state=parked").await.ok();
    let reasons: Vec<_> =
        parked["items"].as_array().unwrap().iter().map(|told| told["reason"].clone()).collect();
    assert_eq!(
        json!(reasons),
        json!([
            "it is about another key than ours",
            "there is no charge of this txid",
            "it names no charge (txid)"
        ])
    );
    assert_eq!(coins(&player).await, 0);
    // The money is there all the same, and the bank's own list tells of it.
    bank.due(&site, "reconcile").await;
    stands(&player, id(&unknown), "paid").await;
    stands(&player, id(&foreign), "paid").await;
    player.get("/admin/notifications").await.problem(403, "role_missing");
    // With the money in the books, what was told of it is explained; the rest can be looked into again.
    let replay = |number: usize| {
        let body = json!({ "notification_id": parked["items"][number]["notification_id"] });
        admin.post("/admin/notifications/replay", body)
    };
    replay(1).await.problem(409, "notification_settled");
    replay(2).await.result();
    site.all_read(&player).await;
    admin
        .post("/admin/notifications/replay", json!({ "notification_id": 999 }))
        .await
        .problem(404, "notification_not_found");
    site.books_agree().await;
    site.finish().await;
}
