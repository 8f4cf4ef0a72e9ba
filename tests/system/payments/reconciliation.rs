//! Money that no notification reports: jobs find it at the bank.

use http::Method;
use serde_json::json;

use crate::support::{
    bank::Bank,
    community::StaffRole,
    payment::{create_payment, payload, payment_id, wait_for_status},
    wait::wait_until,
};

#[tokio::test(flavor = "multi_thread")]
async fn reconciliation_finds_money_without_a_notification() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&payment), "paid")).await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The bank lists it after its time was read.
#[tokio::test(flavor = "multi_thread")]
async fn a_window_overlaps_the_previous_one_by_ten_minutes() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    site.execute("update jobs set due_at = now() + interval '1 day' where job->>'name' = 'watch_charge'")
        .await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    site.execute(
        "insert into payment_progress (provider, reconciled_to) values ('api_pix', now() + interval '9 minutes')
         on conflict (provider) do update set reconciled_to = excluded.reconciled_to",
    )
    .await;
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&payment), "paid")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_charge_that_the_bank_refuses_to_report_hides_no_other_money() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let (unreported, reported) = (create_payment(&player).await, create_payment(&player).await);
    let txid = payment_id(&unreported).replace('-', "");
    bank.set_faults(
        json!({ "api": { "only": format!("GET /cob/{txid}"), "error": 1000, "error_status": 400 } }),
    )
    .await;
    for payment in [&unreported, &reported] {
        bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    }
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&reported), "paid")).await;
    // The other payment is parked, and an administrator sees it.
    site.wait_until_notifications_are_processed(&player).await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let parked = async || admin.get("/admin/notifications?status=parked").await.ok()["total"] == 1;
    bank.run_job_until(&site, "reconcile", "the other payment is parked", parked).await;
    bank.set_faults(json!({})).await;
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&unreported), "paid")).await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_watch_of_a_charge_finds_money_without_a_notification() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    bank.make_job_due(&site, "watch_charge").await;
    wait_for_status(&player, payment_id(&payment), "paid").await;
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// The list of the last 18 minutes has more pages than one attempt should read.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_of_a_short_time_is_read_to_its_end() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    for _ in 0..1001 {
        bank.control(Method::POST, "/pay-static", json!({ "amount": "1.00", "notify": false })).await;
    }
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    site.execute(
        "insert into payment_progress (provider, reconciled_to) values ('api_pix', now() - interval '8 minutes')
         on conflict (provider) do update set reconciled_to = excluded.reconciled_to",
    )
    .await;
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&payment), "paid")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_the_bank_refuses_is_halved() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    let refuse = json!({ "api": { "only": "GET /pix", "error": 1_000_000, "error_status": 400 } });
    bank.set_faults(refuse.clone()).await;
    bank.make_job_due(&site, "reconcile").await;
    let halved = "select count(*) from payment_progress where window_seconds < 21600";
    wait_until("the next window is shorter", async || site.count(halved).await == 1).await;
    bank.set_faults(json!({})).await;
    bank.run_job_until_status(&site, "reconcile", &player, (payment_id(&payment), "paid")).await;

    bank.set_faults(refuse).await;
    site.execute("delete from payment_list_passes").await;
    bank.make_job_due(&site, "reconcile_returns").await;
    let halved = "select count(*) from payment_list_passes where list = 'refunds' and slice_seconds < 259200";
    wait_until("the next slice is shorter", async || site.count(halved).await == 1).await;
    let start = "select read_to from payment_list_passes where list = 'refunds'";
    site.wait_until_ahead(start, "-90 days").await;
    bank.set_faults(json!({})).await;
    let ended = "select count(*) from payment_list_passes where list = 'refunds' and read_to is null";
    wait_until("the pass ends", async || site.count(ended).await == 1).await;
    site.finish().await;
}

/// The window of the Pix was read before the bank listed it.
#[tokio::test(flavor = "multi_thread")]
async fn a_pix_that_the_bank_lists_late_is_found() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    bank.pay_with(json!({ "payload": payment["payload"], "notify": false })).await;
    let late = "reconcile_late_receipts";
    let faults = json!({ "only": "GET /pix", "error": 1_000_000, "error_status": 400 });
    bank.set_faults(json!({ "api": faults })).await;
    // A pass began when the workers started.
    site.execute("delete from payment_list_passes").await;
    bank.make_job_due(&site, late).await;
    site.wait_until_ahead("select read_to from payment_list_passes where list = 'receipts'", "-2 days").await;
    bank.set_faults(json!({})).await;
    bank.run_job_until_status(&site, late, &player, (payment_id(&payment), "paid")).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expired_charge_is_checked_once_more() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    let payment = create_payment(&player).await;
    site.execute("update payments set expires_at = clock_timestamp() + interval '1 second'").await;
    wait_for_status(&player, payment_id(&payment), "expired").await;
    bank.run_job_until(&site, "watch_charge", "the charge was checked when it expired", async || {
        site.count("select count(*) from jobs where job->>'name' = 'recheck_charge'").await == 1
    })
    .await;
    bank.set_faults(json!({ "notifications": { "drop": 1 } })).await;
    bank.pay(payload(&payment), "exact").await;
    bank.make_job_due(&site, "recheck_charge").await;
    wait_for_status(&player, payment_id(&payment), "paid_late").await;
    let jobs = "select count(*) from jobs where job->>'name' = 'recheck_charge'";
    wait_until("the job has ended", async || site.count(jobs).await == 0).await;
    site.finish().await;
}
