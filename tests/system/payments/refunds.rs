//! Refunds, and reversals by the payment scheme.

use guildhall_sandbox::config::Config;

use http::Method;
use serde_json::{Value, json};

use crate::support::{
    bank::Bank,
    client::Client,
    community::StaffRole,
    payment::{coin_balance, create_payment, paid_payment, payload, payment_id, wait_for_status},
    service::audit_texts,
    wait::wait_until,
};

/// Refunds a part of a payment; returns the result.
async fn refund(admin: &Client, payment: &Value, amount: &str) -> Value {
    let body = json!({ "amount": { "amount": amount, "currency": "BRL" }, "reason": "A mistake." });
    admin.post(&refund_path(payment), body).await.result()
}

fn refund_path(payment: &Value) -> String {
    format!("/payments/{}/refund", payment_id(payment))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_of_spent_coins_leaves_a_debt() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    site.character(&player, "Mira Stormborn").await;
    let horse = site.offer(json!({ "name": "Horse", "price": 800 })).await;
    let buy = json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    let payment = paid_payment(&bank, &player).await;
    player.post("/shop/purchase", buy.clone()).await.result();

    let path = refund_path(&payment);
    let body =
        |amount: &str| json!({ "amount": { "amount": amount, "currency": "BRL" }, "reason": "A mistake." });
    player.post(&path, body("10.00")).await.problem(403, "role_missing");
    admin.post(&path, body("100.01")).await.problem(409, "refund_too_large");
    for amount in ["-1", "0"] {
        let refused = admin.post(&path, body(amount)).await.field_error("/amount");
        assert_eq!(refused["code"], "not_positive", "{amount}");
    }
    let dollars = json!({ "amount": { "amount": "10.00", "currency": "USD" }, "reason": "A mistake." });
    admin.post(&path, dollars).await.problem(409, "currency_mismatch");
    let missing = format!("/payments/{}/refund", uuid::Uuid::now_v7());
    admin.post(&missing, body("10.00")).await.problem(404, "payment_not_found");
    let refunded = refund(&admin, &payment, "50.00").await;
    // The package was 1,100 coins. The remaining half is worth 500 at the plain rate. The player had 300 coins left.
    assert_eq!((&refunded["coins"], &refunded["balance"]), (&json!(600), &json!(-300)));
    wait_for_status(&player, payment_id(&payment), "partially_refunded").await;
    player.post("/shop/purchase", buy.clone()).await.problem(409, "coins_owed");
    admin.post(&path, json!({ "reason": "All of it." })).await.result();
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    assert_eq!(coin_balance(&player).await, -800);
    audit_texts::erase_account(&site.workers, &"mira".parse().unwrap()).await.unwrap();
    assert_eq!(site.count("select count(*) from refunds where reason <> ''").await, 0);
    admin.post(&path, json!({ "reason": "A second time." })).await.problem(409, "nothing_to_refund");

    // New coins reduce the debt first.
    paid_payment(&bank, &player).await;
    assert_eq!(coin_balance(&player).await, 300);
    player.post("/shop/purchase", buy).await.problem(409, "not_enough_coins");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_refund_returns_the_coins() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = paid_payment(&bank, &player).await;
    bank.set_faults(json!({ "api": { "devolucao_fails": 1 } })).await;
    let path = refund_path(&payment);
    admin.post(&path, json!({ "reason": "A mistake." })).await.result();
    wait_for_status(&player, payment_id(&payment), "paid").await;
    assert_eq!(coin_balance(&player).await, 1100);
    // The response of the bank to the next refund is lost. The site does not send a second refund.
    bank.set_faults(json!({ "api": { "only": "PUT /pix/", "drop_after_apply": 1 } })).await;
    admin.post(&path, json!({ "reason": "A mistake." })).await.result();
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    assert_eq!(coin_balance(&player).await, 0);
    assert_eq!(bank.refunds(0).await.len(), 2);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The bank refuses every call of this kind with 409 twice, and delays all further ones until the test ends the fault.
async fn refuse_twice_then_delay(bank: &Bank, call: &str) {
    let faults = json!({ "only": call, "error": 2, "error_status": 409, "rate_limited": 1_000_000 });
    bank.set_faults(json!({ "api": faults })).await;
}

/// A refusal may mean that the bank is carrying out an earlier request at that moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_request_does_not_end_a_refund_and_repeated_refusals_do() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = paid_payment(&bank, &player).await;
    for call in ["GET /pix/", "PUT /pix/"] {
        refuse_twice_then_delay(&bank, call).await;
        refund(&admin, &payment, "10.00").await;
        wait_for_status(&player, payment_id(&payment), "refund_pending").await;
        bank.wait_until_fault_is_used_up("/api/error").await;
        bank.set_faults(json!({})).await;
        wait_for_status(&player, payment_id(&payment), "partially_refunded").await;
    }
    bank.set_faults(json!({ "api": { "only": "PUT /pix/", "error": 1_000_000, "error_status": 409 } })).await;
    refund(&admin, &payment, "10.00").await;
    wait_for_status(&player, payment_id(&payment), "partially_refunded").await;
    let records = admin.get(&format!("/admin/payments/{}", payment_id(&payment))).await.ok();
    let states: Vec<_> =
        records["refunds"].as_array().unwrap().iter().map(|refund| &refund["state"]).collect();
    assert_eq!(states.iter().filter(|state| **state == "failed").count(), 1, "{records}");
    assert_eq!(states.iter().filter(|state| **state == "done").count(), 2, "{records}");
    assert_eq!(coin_balance(&player).await, 800);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// Attempts of a killed worker have no result. They are no refusals.
#[tokio::test(flavor = "multi_thread")]
async fn attempts_without_a_result_do_not_count_as_refusals() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = paid_payment(&bank, &player).await;
    // The job has many attempts from the beginning, also when it is scheduled again.
    site.execute(
        "create function many_attempts() returns trigger language plpgsql as $$
         begin new.attempts = 20 + new.attempts % 20; return new; end $$;
         create trigger many_attempts before insert or update on jobs
         for each row when (new.job->>'name' = 'send_refund') execute function many_attempts();
         -- A refund that was recorded as failed can be done later.
         create table failed_refunds (refund_id text);
         create function note_failure() returns trigger language plpgsql as $$
         begin insert into failed_refunds values (new.refund_id); return new; end $$;
         create trigger note_failure after update on refunds
         for each row when (new.state = 'failed') execute function note_failure()",
    )
    .await;
    let faults = json!({ "only": "PUT /pix/", "error": 2, "error_status": 503, "rate_limited": 1_000_000 });
    bank.set_faults(json!({ "api": faults })).await;
    refund(&admin, &payment, "100.00").await;
    bank.wait_until_fault_is_used_up("/api/error").await;
    bank.set_faults(json!({ "api": { "only": "PUT /pix/", "error": 1, "error_status": 409 } })).await;
    site.execute("update jobs set due_at = now() where job->>'name' = 'send_refund'").await;
    bank.wait_until_fault_is_used_up("/api/error").await;
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    assert_eq!(site.count("select count(*) from failed_refunds").await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The records are changed only when the bank has the refund. A job that starts later would not send a failed refund.
#[tokio::test(flavor = "multi_thread")]
async fn a_refund_that_the_bank_completes_is_done_even_if_it_was_recorded_as_failed() {
    let bank =
        Bank::start_with(Config { refund_ms: 1500, webhook_backoff_ms: 50, ..Config::default() }).await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = create_payment(&player).await;
    let transfer = bank.pay(payload(&payment), "exact").await.remove(0);
    wait_for_status(&player, payment_id(&payment), "paid").await;
    // The notification of the completed refund is lost, so that the records stay wrong until the test sends another.
    bank.set_faults(json!({ "notifications": { "drop": 1 } })).await;
    refund(&admin, &payment, "100.00").await;
    let completed = async || bank.refunds(0).await.iter().any(|refund| refund["status"] == "DEVOLVIDO");
    wait_until("the bank completes the refund", completed).await;
    bank.wait_until_fault_is_used_up("/notifications/drop").await;
    let failed = sqlx::query("update refunds set state = 'failed', settled_at = now()")
        .execute(&site.database)
        .await
        .unwrap();
    assert_eq!(failed.rows_affected(), 1);
    bank.control(Method::POST, "/notify", json!({ "end_to_end_id": transfer })).await;
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    assert_eq!(coin_balance(&player).await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reversal_by_the_scheme_takes_the_coins_back() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    let transfers = bank.pay(payload(&payment), "exact").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": transfers[0], "amount": "100.00" }))
        .await;
    wait_for_status(&player, payment_id(&payment), "reversed").await;
    assert_eq!(coin_balance(&player).await, 0);
    // No notification reports the next reversal. The job finds it in the bank's list of returned money.
    let second = create_payment(&player).await;
    let transfers = bank.pay(payload(&second), "exact").await;
    wait_for_status(&player, payment_id(&second), "paid").await;
    bank.control(Method::POST, "/reverse", json!({ "end_to_end_id": transfers[0], "notify": false })).await;
    bank.run_job_until_status(&site, "reconcile_returns", &player, (payment_id(&second), "reversed")).await;
    assert_eq!(coin_balance(&player).await, 0);
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refund_uses_the_newest_transfer_first() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = create_payment(&player).await;
    bank.pay(payload(&payment), "twice").await;
    wait_for_status(&player, payment_id(&payment), "overpaid").await;
    refund(&admin, &payment, "150.00").await;
    wait_for_status(&player, payment_id(&payment), "partially_refunded").await;
    assert_eq!(coin_balance(&player).await, 500);
    let records = admin.get(&format!("/admin/payments/{}", payment_id(&payment))).await.ok();
    let amounts: Vec<_> =
        records["refunds"].as_array().unwrap().iter().map(|refund| refund["minor_units"].clone()).collect();
    assert_eq!(json!(amounts).as_array().unwrap().len(), 2);
    assert!(amounts.contains(&json!(10_000)) && amounts.contains(&json!(5_000)), "{records}");
    player.get(&format!("/admin/payments/{}", payment_id(&payment))).await.problem(403, "role_missing");
    for (query, total) in
        [("", 1), ("?status=partially_refunded", 1), ("?status=paid", 0), ("?account_id=999", 0)]
    {
        assert_eq!(admin.get(&format!("/admin/payments{query}")).await.ok()["total"], total, "{query}");
    }
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// A refund that the bank's own staff has started has no job that sends it. So the charge is checked a minute later.
#[tokio::test(flavor = "multi_thread")]
async fn a_pending_refund_is_checked_without_a_notification() {
    let bank = Bank::start_with(Config { refund_ms: 500, webhook_backoff_ms: 50, ..Config::default() }).await;
    let site = bank.site().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let payment = paid_payment(&bank, &player).await;
    bank.set_faults(json!({ "notifications": { "drop": 1 } })).await;
    refund(&admin, &payment, "100.00").await;
    wait_for_status(&player, payment_id(&payment), "refund_pending").await;
    let check = format!("job->>'payment_id' = '{}' and job->>'name' = 'watch_charge'", payment_id(&payment));
    let soon = format!("select count(*) from jobs where {check} and due_at <= now() + interval '1 minute'");
    assert_eq!(site.count(&soon).await, 1);
    site.execute("delete from jobs where job->>'name' = 'send_refund'").await;
    bank.wait_until_fault_is_used_up("/notifications/drop").await;
    site.execute(&format!("update jobs set due_at = now() where {check}")).await;
    wait_for_status(&player, payment_id(&payment), "refunded").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
