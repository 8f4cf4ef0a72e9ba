//! Fault injection of the mail catcher.

use std::time::{Duration, Instant};

use lettre::transport::smtp::Error;
use serde_json::{Value, json};

use crate::smtp::{MailSite, RawSession, mail_to, short_mail_to};

impl MailSite {
    async fn set_mail_faults(&self, faults: Value) {
        self.client.set_faults(json!({ "mails": faults })).await;
    }
}

#[tokio::test]
async fn mail_is_refused_at_each_step() {
    let site = MailSite::start().await;
    let is_temporary: fn(&Error) -> bool = Error::is_transient;
    for (faults, status, is_expected) in [
        (json!({ "refuse_temporarily": 1 }), "451", is_temporary),
        (json!({ "refuse_temporarily": 1, "refuse_at": "end_of_data" }), "451", Error::is_transient),
        (json!({ "refuse_permanently": { "probability": 1 } }), "550", Error::is_permanent),
        (json!({ "refuse_permanently": 1, "refuse_at": "end_of_data" }), "550", Error::is_permanent),
    ] {
        site.set_mail_faults(faults.clone()).await;
        let refused = site.send(short_mail_to("a@example.com")).await.unwrap_err();
        assert!(is_expected(&refused), "{faults}: {refused}");
        assert_eq!(refused.status().unwrap().to_string(), status, "{faults}");
        assert!(site.mails("").await.is_empty(), "{faults}");
    }
    site.send(short_mail_to("a@example.com")).await.unwrap();
    assert_eq!(site.mails("").await.len(), 1);
}

#[tokio::test]
async fn refusal_at_a_recipient_concerns_only_this_recipient() {
    let site = MailSite::start().await;
    site.set_mail_faults(json!({ "refuse_permanently": 1 })).await;
    let mut session = site.open_session().await;
    for (line, status) in [
        ("EHLO me", 250),
        ("MAIL FROM:<a@example.com>", 250),
        ("RCPT TO:<b@example.com>", 550),
        ("RCPT TO:<c@example.com>", 250),
        ("DATA", 354),
        ("Subject: 1\r\n\r\n.", 250),
    ] {
        assert_eq!(session.request(line).await, status, "{line}");
    }
    assert_eq!(site.mails("").await[0]["envelope_to"], json!(["c@example.com"]));
}

#[tokio::test]
async fn server_stalls_at_each_step() {
    let site = MailSite::start().await;
    let steps = [
        ("connect", "", 220),
        ("helo", "EHLO me", 250),
        ("mail", "MAIL FROM:<a@example.com>", 250),
        ("rcpt", "RCPT TO:<b@example.com>", 250),
        ("data", "DATA", 354),
        ("end_of_data", "Subject: 1\r\n\r\n.", 250),
    ];
    for (stalled, ..) in steps {
        site.set_mail_faults(json!({ "stall": 1, "stall_at": stalled, "stall_ms": 150 })).await;
        let mut start = Instant::now();
        let mut session = RawSession::connect(site.sandbox.mail_address().unwrap()).await;
        for (step, line, status) in steps {
            if !line.is_empty() {
                start = Instant::now();
                session.send(line).await;
            }
            assert_eq!(session.read_status().await, status, "{step}");
            let has_stalled = start.elapsed() >= Duration::from_millis(150);
            assert!(has_stalled || step != stalled, "{step}");
        }
    }
    assert_eq!(site.mails("").await.len(), steps.len(), "a client that waits has sent its mail");
}

#[tokio::test]
async fn client_that_leaves_a_stalled_server_has_sent_nothing() {
    let site = MailSite::start().await;
    site.set_mail_faults(json!({ "stall": 1, "stall_at": "end_of_data", "stall_ms": 3_600_000 })).await;
    let mut session = site.open_session().await;
    assert_eq!(session.request("EHLO me").await, 250);
    assert_eq!(session.request("MAIL FROM:<a@example.com>").await, 250);
    assert_eq!(session.request("RCPT TO:<b@example.com>").await, 250);
    assert_eq!(session.request("DATA").await, 354);
    session.send("Subject: 1\r\n\r\n.").await;
    site.client.wait_until_fault_is_used("/mails/stall").await;
    drop(session);
    assert!(site.mails("?wait=1").await.is_empty());
}

#[tokio::test]
async fn lost_response_leads_to_a_second_copy() {
    let site = MailSite::start().await;
    site.set_mail_faults(json!({ "drop_after_data": 1 })).await;
    let mail = mail_to("a@example.com").message_id(Some("<1@example.com>".to_owned()));
    let mail = mail.body("Welcome.".to_owned()).unwrap();
    let lost = site.send(mail.clone()).await.unwrap_err();
    assert!(lost.status().is_none(), "there is no response: {lost}");
    assert_eq!(site.mails("").await.len(), 1);
    site.send(mail).await.unwrap();
    let mails = site.mails("?to=a@example.com").await;
    let ids: Vec<_> = mails.iter().map(|mail| &mail["message_id"]).collect();
    assert_eq!(ids, ["1@example.com"; 2]);
}

#[tokio::test]
async fn unknown_mail_fault_is_rejected() {
    let site = MailSite::start().await;
    for bad in [
        json!({ "refuse": 1 }),
        json!({ "refuse_at": "data" }),
        json!({ "stall_at": "quit" }),
        json!({ "stall_ms": -1 }),
    ] {
        assert_eq!(site.client.put("/sandbox/faults", json!({ "mails": bad })).await.0, 400, "{bad}");
    }
    let (_, faults) = site.client.get("/sandbox/faults").await;
    let defaults = json!({
        "refuse_temporarily": 0, "refuse_permanently": 0, "refuse_at": "rcpt",
        "stall": 0, "stall_at": "end_of_data", "stall_ms": 30_000, "drop_after_data": 0,
    });
    assert_eq!(faults["mails"], defaults);
}
