//! Recovering a forgotten password.

use serde_json::json;

use super::{
    email_changes::verified_player,
    passwords::{NEW_PASSWORD, log_in},
};
use crate::support::{
    client::Response,
    community::PASSWORD,
    mailbox::Mailbox,
    site::Site,
    wait::{wait_for, wait_until},
};

async fn forget(site: &Site, email: &str) -> Response {
    site.visitor().post("/accounts/forgot-password", json!({ "email": email })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_about_own_changes_do_not_count_against_a_forgotten_password() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let (mut old, mut new) = (PASSWORD, NEW_PASSWORD);
    for _ in 0..5 {
        let body = json!({ "old_password": old, "password": new });
        mira.post("/accounts/change-password", body).await.result();
        (old, new) = (new, old);
    }
    mailbox.wait_for("mira@example.org", 6).await; // Mails of the same moment may arrive in any order.
    forget(&site, "mira@example.org").await;
    assert_eq!(mailbox.wait_for("mira@example.org", 7).await.token().len(), 43);
    let link = "select expires_at from mail_tokens where purpose = 'reset_password'";
    site.wait_until_ahead(link, "1 hour").await;
    let without_link = "select max(expires_at) from mails where kind = 'password_changed'";
    site.wait_until_ahead(without_link, "3 days").await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn registrations_with_an_address_do_not_keep_its_owner_out() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    for number in 0..5 {
        let account =
            json!({ "name": format!("eve_{number}"), "email": "mira@example.org", "password": NEW_PASSWORD });
        site.visitor().post("/accounts/register", account).await.result();
    }
    mailbox.wait_for("mira@example.org", 5).await;
    forget(&site, "mira@example.org").await;
    wait_until("the link is sent", async || {
        site.count("select count(*) from mails where kind = 'reset_password' and state = 'sent'").await == 1
    })
    .await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_sets_a_forgotten_password_once() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    assert_eq!(forget(&site, "Mira@example.org").await.status, 202);
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    let reset = async |password: &str| {
        let body = json!({ "token": mail.token(), "password": password });
        site.visitor().post("/accounts/reset-password", body).await
    };
    reset("password123").await.invalid("/password");
    assert_eq!(reset(NEW_PASSWORD).await.result()["account_id"], mira.account_id);
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    log_in(&site, PASSWORD).await.problem(401, "wrong_credentials");
    log_in(&site, NEW_PASSWORD).await.ok();
    reset("amber lantern harbour").await.problem(404, "token_not_found");
    // The owner learns about the change.
    let told = mailbox.wait_for("mira@example.org", 3).await;
    assert!(!told.text.contains("#token="), "{}", told.text);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_makes_older_links_invalid() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    forget(&site, "mira@example.org").await;
    let first = mailbox.wait_for("mira@example.org", 2).await;
    forget(&site, "mira@example.org").await;
    let second = mailbox.wait_for("mira@example.org", 3).await;
    let reset = async |token: &str| {
        let body = json!({ "token": token, "password": NEW_PASSWORD });
        site.visitor().post("/accounts/reset-password", body).await
    };
    reset(second.token()).await.result();
    reset(first.token()).await.problem(404, "token_not_found");
    site.finish().await;
}

/// Neither the response nor a mail shows whether there is an account.
#[tokio::test(flavor = "multi_thread")]
async fn missing_and_unverified_addresses_look_like_others() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    site.player("tom").await;
    let mut responses = vec![];
    for name in ["mira", "tom", "nobody"] {
        let mut response = forget(&site, &format!("{name}@example.org")).await;
        let operation = response.body["operation_id"].as_str().unwrap().to_owned();
        response.body["operation_id"] = json!(null);
        responses.push((response.status, response.body));
        let path = format!("/operations/{operation}");
        wait_for("the outcome is known", async || {
            let operation = site.visitor().get(&path).await.ok();
            (operation["status"] == "applied").then_some(())
        })
        .await;
    }
    assert!(responses.iter().all(|response| *response == responses[0]), "{responses:?}");
    mailbox.wait_for("mira@example.org", 2).await;
    let resets = "select count(*) from mails where kind = 'reset_password'";
    assert_eq!(site.count(resets).await, 1);
    site.finish().await;
}

/// Hashing a password is expensive. A visitor could request many.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_is_not_read_before_the_link_is_found() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    let reset = async |token: &str, password: &str| {
        let body = json!({ "token": token, "password": password });
        site.visitor().post_with_key("/accounts/reset-password", &body, "once").await
    };
    reset(&"A".repeat(43), "password123").await.problem(404, "token_not_found");
    forget(&site, "mira@example.org").await;
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    reset(mail.token(), "password123").await.invalid("/password");
    let first = reset(mail.token(), NEW_PASSWORD).await.result();
    assert_eq!(reset(mail.token(), NEW_PASSWORD).await.result(), first, "the response may have been lost");
    site.finish().await;
}
