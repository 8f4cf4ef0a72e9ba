//! Sending mails: what a mail server can do wrong.

use serde_json::json;

use crate::support::{community::StaffRole, mailbox::Mailbox, options::Options, site::Site, wait::wait_for};

async fn wait_for_state(site: &Site, state: &str) {
    wait_for(&format!("a mail is {state}"), async || {
        let mails = sqlx::query_scalar::<_, i64>("select count(*) from mails where state = $1").bind(state);
        (mails.fetch_one(&site.database).await.unwrap() > 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mail_is_sent_again_after_a_temporary_refusal() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    mailbox.set_faults(json!({ "refuse_temporarily": 2 })).await;
    site.player("mira").await;
    mailbox.wait_for("mira@example.org", 1).await;
    wait_for_state(&site, "sent").await;
    assert_eq!(mailbox.mails_to("mira@example.org").await.len(), 1);
    site.finish().await;
}

/// The mail server accepts the mail, but its response is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_mail_has_the_same_message_id() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    mailbox.set_faults(json!({ "drop_after_data": 1 })).await;
    site.player("mira").await;
    let (first, second) =
        (mailbox.wait_for("mira@example.org", 1).await, mailbox.wait_for("mira@example.org", 2).await);
    assert_eq!(first.message_id, second.message_id);
    assert_eq!(first.token(), second.token());
    wait_for_state(&site, "sent").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_mail_is_parked_until_an_administrator_decides() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    mailbox.wait_for("boss@example.org", 1).await;
    mailbox.set_faults(json!({ "refuse_permanently": 1 })).await;
    let mira = site.player("mira").await;
    wait_for_state(&site, "parked").await;
    let parked = boss.get("/admin/mails?status=parked").await.ok();
    let mail = &parked["items"][0];
    assert_eq!((&mail["recipient"], &mail["kind"]), (&json!("mira@example.org"), &json!("verify_email")));
    assert!(mail["last_error"].as_str().unwrap().contains("550"), "{mail}");
    let body = json!({ "mail_id": mail["mail_id"] });
    mira.post("/admin/mails/resend", body.clone()).await.problem(403, "role_missing");
    boss.post("/admin/mails/resend", body.clone()).await.result();
    mailbox.wait_for("mira@example.org", 1).await;
    wait_for("the mail is sent", async || {
        (site.count("select count(*) from mails where state <> 'sent'").await == 0).then_some(())
    })
    .await;
    boss.post("/admin/mails/discard", body.clone()).await.problem(409, "mail_not_parked");
    boss.post("/admin/mails/resend", body).await.problem(409, "mail_not_parked");
    let audit = boss.get("/admin/audit").await.ok();
    assert_eq!(audit["items"][0]["action"], "mail.resend");
    site.finish().await;
}

/// Its link is not valid any more.
#[tokio::test(flavor = "multi_thread")]
async fn a_parked_mail_is_not_sent_after_its_link_has_expired() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    mailbox.wait_for("boss@example.org", 1).await;
    mailbox.set_faults(json!({ "refuse_permanently": 1 })).await;
    site.player("mira").await;
    wait_for_state(&site, "parked").await;
    let parked = boss.get("/admin/mails?status=parked").await.ok();
    let body = json!({ "mail_id": parked["items"][0]["mail_id"] });
    site.wait_until_ahead("select expires_at from mails where state = 'parked'", "24 hours").await;
    site.execute("update mails set expires_at = now() where state = 'parked'").await;
    boss.post("/admin/mails/resend", body.clone()).await.problem(409, "mail_expired");
    assert_eq!(boss.get("/admin/mails?status=parked").await.ok()["total"], 1);
    boss.post("/admin/mails/discard", body).await.result();
    assert!(mailbox.mails_to("mira@example.org").await.is_empty());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_mail_server_delays_nobody() {
    let mailbox = Mailbox::start().await;
    // Nothing listens on this port of the loopback network.
    let options = Options { smtp_url: Some("smtp://127.0.0.1:1".to_owned()), ..mailbox.options() };
    let site = Site::start_with(options).await;
    let mira = site.player("mira").await;
    mira.get("/accounts/me").await.ok();
    wait_for("the error is stored", async || {
        (site.count("select count(*) from mails where last_error is not null").await == 1).then_some(())
    })
    .await;
    assert_eq!(site.count("select count(*) from mails where state = 'waiting'").await, 1);
    // A mail that cannot be sent in time is parked.
    site.execute("update mails set expires_at = now()").await;
    site.execute("update jobs set due_at = now() where lane = 'mail'").await;
    wait_for_state(&site, "parked").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_stalled_at_each_step_are_sent_later() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    for step in ["connect", "helo", "mail", "rcpt", "data", "end_of_data"] {
        // Longer than the time limit of a step.
        mailbox.set_faults(json!({ "stall": 1, "stall_at": step, "stall_ms": 15_000 })).await;
        site.player(&format!("player_{step}")).await;
    }
    for step in ["connect", "helo", "mail", "rcpt", "data", "end_of_data"] {
        mailbox.wait_for(&format!("player_{step}@example.org"), 1).await;
    }
    site.finish().await;
}
