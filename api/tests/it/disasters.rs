//! What has ruined others: each against the bank, with the books checked afterwards.

use guildhall_sandbox::config::Config;
use reqwest::Method;
use serde_json::json;

use super::{
    bank::Bank,
    payments::{chest, coins, stands},
    support::{GivenRole, Options, WEBHOOK_SECRET},
};

fn id(payment: &serde_json::Value) -> &str {
    payment["payment_id"].as_str().unwrap()
}

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
        "endToEndId": end_to_end_id, "txid": txid, "chave": super::bank::KEY, "valor": "100.00",
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
async fn a_refund_of_coins_that_were_spent_leaves_a_debt() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    site.character(&player, "Mira Stormborn").await;
    let horse = super::payments::offer(&site, json!({ "name": "Horse", "price": 800 })).await;
    let buy = json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    player.post("/shop/purchase", buy.clone()).await.result();

    let refund = format!("/payments/{}/refund", id(&asked));
    let body =
        |amount: &str| json!({ "amount": { "amount": amount, "currency": "BRL" }, "reason": "A mistake." });
    player.post(&refund, body("10.00")).await.problem(403, "role_missing");
    admin.post(&refund, body("100.01")).await.problem(409, "refund_too_large");
    let refunded = admin.post(&refund, body("50.00")).await.result();
    // 1,100 for the whole; half of it is worth the plain rate. 300 were left.
    assert_eq!((&refunded["coins"], &refunded["balance"]), (&json!(600), &json!(-300)));
    stands(&player, id(&asked), "partially_refunded").await;
    player.post("/shop/purchase", buy.clone()).await.problem(409, "coins_owed");
    admin.post(&refund, json!({ "reason": "All of it." })).await.result();
    stands(&player, id(&asked), "refunded").await;
    assert_eq!(coins(&player).await, -800);
    admin.post(&refund, json!({ "reason": "Once more." })).await.problem(409, "nothing_to_refund");

    // New coins make up for the debt first.
    let again = chest(&player).await;
    bank.pay(again["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&again), "paid").await;
    assert_eq!(coins(&player).await, 300);
    player.post("/shop/purchase", buy).await.problem(409, "not_enough_coins");
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_fails_gives_the_coins_back() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    bank.faults(json!({ "api": { "devolucao_fails": 1 } })).await;
    let refund = format!("/payments/{}/refund", id(&asked));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    stands(&player, id(&asked), "paid").await;
    assert_eq!(coins(&player).await, 1100);
    // The bank's answer to the next is lost on the way: it is not asked for twice.
    bank.faults(json!({ "api": { "only": "PUT /pix/", "drop_after_apply": 1 } })).await;
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    stands(&player, id(&asked), "refunded").await;
    assert_eq!(coins(&player).await, 0);
    let charges = bank.control(Method::GET, "/charges", json!(null)).await;
    assert_eq!(charges["charges"][0]["pix"][0]["devolucoes"].as_array().unwrap().len(), 2);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_scheme_takes_back_is_taken_back() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    let ids = bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": ids[0], "amount": "100.00" })).await;
    stands(&player, id(&asked), "reversed").await;
    assert_eq!(coins(&player).await, 0);
    // The next one nobody tells of: it is found in the bank's list of what went back.
    let second = chest(&player).await;
    let ids = bank.pay(second["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&second), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": ids[0], "notify": false })).await;
    bank.due(&site, "reconcile_returns").await;
    stands(&player, id(&second), "reversed").await;
    assert_eq!(coins(&player).await, 0);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_takes_from_the_newest_money_first() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.with_role("boss", GivenRole::Admin).await);
    let asked = chest(&player).await;
    bank.pay(asked["payload"].as_str().unwrap(), "twice").await;
    stands(&player, id(&asked), "overpaid").await;
    let refund = format!("/payments/{}/refund", id(&asked));
    let body = json!({ "amount": { "amount": "150.00", "currency": "BRL" }, "reason": "Paid twice." });
    admin.post(&refund, body).await.result();
    stands(&player, id(&asked), "partially_refunded").await;
    assert_eq!(coins(&player).await, 500);
    let books = admin.get(&format!("/admin/payments/{}", id(&asked))).await.ok();
    let amounts: Vec<_> =
        books["refunds"].as_array().unwrap().iter().map(|refund| refund["minor_units"].clone()).collect();
    assert_eq!(json!(amounts).as_array().unwrap().len(), 2);
    assert!(amounts.contains(&json!(10_000)) && amounts.contains(&json!(5_000)), "{books}");
    player.get(&format!("/admin/payments/{}", id(&asked))).await.problem(403, "role_missing");
    for (query, total) in
        [("", 1), ("?status=partially_refunded", 1), ("?status=paid", 0), ("?account_id=999", 0)]
    {
        assert_eq!(admin.get(&format!("/admin/payments{query}")).await.ok()["total"], total, "{query}");
    }
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_its_owners_alone() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, other) = (site.player("mira").await, site.player("tom").await);
    let asked = chest(&player).await;
    for rest in ["", "/qrcode.png", "/qrcode.svg", "/events"] {
        let path = format!("/payments/{}{rest}", id(&asked));
        other.get(&path).await.problem(404, "payment_not_found");
        site.nobody().get(&path).await.problem(401, "unauthorized");
    }
    let svg =
        player.request(Method::GET, &format!("/payments/{}/qrcode.svg", id(&asked))).send().await.unwrap();
    assert_eq!(svg.headers()["content-type"], "image/svg+xml");
    // Ten streams are enough for anybody, and one that is closed makes room.
    let follow = || player.request(Method::GET, &format!("/payments/{}/events", id(&asked))).send();
    let mut streams = vec![];
    for _ in 0..10 {
        streams.push(follow().await.unwrap());
    }
    assert_eq!(follow().await.unwrap().status(), 429);
    streams.clear();
    // Nobody is missed before something cannot be sent to them.
    for _ in 0..150 {
        if follow().await.unwrap().status() == 200 {
            return site.finish().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("closed streams keep their places");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_asks_for_a_payment_asks_for_nothing_else_meanwhile() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "error": 1000 } })).await;
    let keyed = |path: &str, body: serde_json::Value| {
        let request = player.request(Method::POST, path).json(&body).header("Idempotency-Key", "k");
        super::support::send(request)
    };
    let first = keyed("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    assert_eq!(first.status, 202);
    let payment = first.body["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(keyed("/payments/instant/qrcode", json!({ "coins": 10 })).await.status, 202);
    assert_eq!(site.number("select count(*) from payments").await, 1);
    bank.faults(json!({})).await;
    stands(&player, &payment, "pending").await;
    keyed("/payments/instant/qrcode", json!({ "coins": 10 })).await.problem(422, "idempotency_key_reused");
    keyed("/payments/instant/qrcode", json!({ "package_id": 1 })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_hangs_keeps_nobody_else_waiting() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "slow_ms": 7000 } })).await;
    for _ in 0..10 {
        assert_eq!(player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await.status, 202);
    }
    let editor = site.with_role("editor", GivenRole::Editor).await;
    let post =
        json!({ "title": "It stands", "summary": "", "body": "Yes.", "pinned": false, "hidden": false });
    editor.post("/news/create", post).await.result();
    for _ in 0..200 {
        if site.number("select count(*) from posts where announced_at is not null").await == 1 {
            return site.stop().await;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("the news wait for the bank");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_is_in_trouble_is_asked_again() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    for faults in [
        json!({ "only": "PUT /cob/", "error": 2 }),
        json!({ "only": "PUT /cob/", "error": 1, "error_status": 500 }),
        json!({ "only": "PUT /cob/", "drop_after_apply": 1 }),
        json!({ "only": "PUT /cob/", "token_expired": 1 }),
        json!({ "only": "PUT /cob/", "rate_limited": 1 }),
    ] {
        bank.faults(json!({ "api": faults })).await;
        let asked = chest(&player).await;
        bank.faults(json!({ "api": { "only": "GET /cob/", "error": 1 } })).await;
        bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
        stands(&player, id(&asked), "paid").await;
    }
    assert_eq!(coins(&player).await, 5500);
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_is_down_makes_the_answer_late_and_loses_nothing() {
    let bank = Bank::start().await;
    let site =
        bank.site_with(Options { command_wait: 1, payments: bank.settings(), ..Options::default() }).await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "error": 1000 } })).await;
    let pending = player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    assert_eq!(pending.status, 202, "{pending:?}");
    let operation = pending.header("location").to_owned();
    let payment = pending.body["operation_id"].as_str().unwrap().to_owned();
    assert_eq!(player.get(&format!("/payments/{payment}")).await.ok()["status"], "created");
    player.get(&format!("/payments/{payment}/qrcode.png")).await.problem(409, "payment_not_payable");
    bank.faults(json!({})).await;
    let mut operation_now = player.get(&operation).await.ok();
    while operation_now["status"] == "pending" {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        operation_now = player.get(&operation).await.ok();
    }
    bank.pay(operation_now["result"]["payload"].as_str().unwrap(), "exact").await;
    stands(&player, &payment, "paid").await;
    site.books_agree().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bank_that_refuses_is_told_as_a_refusal() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    bank.faults(json!({ "api": { "only": "PUT /cob/", "error": 1, "error_status": 422 } })).await;
    let refused = player.post("/payments/instant/qrcode", json!({ "package_id": 1 })).await;
    let problem = refused.problem(409, "provider_refused");
    stands(&player, problem["operation_id"].as_str().unwrap(), "failed").await;
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

#[tokio::test(flavor = "multi_thread")]
async fn the_banks_address_may_change() {
    let journal = std::env::temp_dir().join(format!("guildhall-bank-{}", uuid::Uuid::now_v7()));
    let config = Config { data: Some(journal.clone()), ..Config::default() };
    let bank = Bank::with(config.clone()).await;
    let mut site = bank.site().await;
    let player = site.player("mira").await;
    let asked = chest(&player).await;
    site.stop_workers().await;
    bank.stop().await;
    let bank = Bank::with(config).await;
    site.use_payments(bank.settings());
    site.start_workers();
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(&player, id(&asked), "paid").await;
    site.books_agree().await;
    site.finish().await;
    std::fs::remove_file(journal).unwrap();
}
