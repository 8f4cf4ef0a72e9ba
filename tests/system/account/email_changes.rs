//! Changing an e-mail address, and undoing a change.

use serde_json::json;

use crate::support::{
    client::Client,
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    site::Site,
};

/// A player with a verified address.
pub(super) async fn verified_player(site: &Site, mailbox: &Mailbox, name: &str) -> Client {
    let player = site.player(name).await;
    let token = mailbox.wait_for(&format!("{name}@example.org"), 1).await.token().to_owned();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();
    player
}

#[tokio::test(flavor = "multi_thread")]
async fn the_new_address_counts_when_it_is_verified() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let change = |email: &str, password: &str| {
        mira.post("/accounts/change-email", json!({ "email": email, "password": password }))
    };
    change("new@example.org", "wrong horse").await.problem(403, "wrong_password");
    change("mira@example.org", PASSWORD).await.problem(409, "email_unchanged");
    change("new@example.org", PASSWORD).await.result();
    let mail = mailbox.wait_for("new@example.org", 1).await;
    assert_eq!(mira.get("/accounts/me").await.ok()["email"], "mira@example.org");
    site.log_in("new@example.org").await.problem(401, "wrong_credentials");

    site.visitor().post("/accounts/verify-email", json!({ "token": mail.token() })).await.result();
    assert_eq!(mira.get("/accounts/me").await.ok()["email"], "new@example.org");
    site.log_in("new@example.org").await.ok();
    site.log_in("mira@example.org").await.problem(401, "wrong_credentials");
    let told = mailbox.wait_for("mira@example.org", 2).await;
    assert!(told.text.contains("new@example.org"), "{}", told.text);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_old_address_undoes_a_change() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let change = json!({ "email": "thief@example.org", "password": PASSWORD });
    mira.post("/accounts/change-email", change).await.result();
    let token = mailbox.wait_for("thief@example.org", 1).await.token().to_owned();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();

    let undo = json!({ "token": mailbox.wait_for("mira@example.org", 2).await.token() });
    let link = "select expires_at from mail_tokens where purpose = 'undo_email_change'";
    site.wait_until_ahead(link, "7 days").await;
    let undone = site.visitor().post("/accounts/undo-email-change", undo.clone()).await.result();
    assert_eq!(undone["email"], "mira@example.org");
    mira.get("/accounts/me").await.problem(401, "unauthorized");
    // The thief knows the password, so it is not valid any more. The owner receives a link that sets another one.
    site.log_in("mira@example.org").await.problem(403, "password_expired");
    site.visitor().post("/accounts/undo-email-change", undo).await.problem(404, "token_not_found");
    let reset = json!({
        "token": mailbox.wait_for("mira@example.org", 3).await.token(), "password": "velvet compass orchard"
    });
    site.visitor().post("/accounts/reset-password", reset).await.result();
    site.log_in("mira").await.problem(401, "wrong_credentials");
    let log_in = json!({ "login": "mira", "password": "velvet compass orchard" });
    site.visitor().post("/auth", log_in).await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_undo_does_not_take_an_address_from_another_account() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let verify = async |token: &str| {
        site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result()
    };
    let change = json!({ "email": "new@example.org", "password": PASSWORD });
    mira.post("/accounts/change-email", change).await.result();
    verify(mailbox.wait_for("new@example.org", 1).await.token()).await;
    let undo = json!({ "token": mailbox.wait_for("mira@example.org", 2).await.token() });
    let other = json!({ "name": "eve", "email": "mira@example.org", "password": PASSWORD });
    site.visitor().post("/accounts/register", other).await.result();
    verify(mailbox.wait_for("mira@example.org", 3).await.token()).await;

    site.visitor().post("/accounts/undo-email-change", undo).await.problem(409, "email_taken");
    assert_eq!(mira.get("/accounts/me").await.ok()["email"], "new@example.org");
    site.finish().await;
}

/// A thief changes the address twice and asks for the deletion of the account and a copy of its data.
#[tokio::test(flavor = "multi_thread")]
async fn an_undo_leaves_the_thief_nothing() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    let change_to = async |email: &str| {
        let change = json!({ "email": email, "password": PASSWORD });
        mira.post("/accounts/change-email", change).await.result();
        let token = mailbox.wait_for(email, 1).await.token().to_owned();
        site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();
    };
    change_to("thief@example.org").await;
    let of_owner = mailbox.wait_for("mira@example.org", 2).await.token().to_owned();
    change_to("second@example.org").await;
    let of_thief = mailbox.wait_for("thief@example.org", 2).await.token().to_owned();
    mira.post("/accounts/request-export", json!({ "password": PASSWORD })).await.result();
    let export = mailbox.wait_for("second@example.org", 2).await.token().to_owned();
    mira.post("/accounts/delete", json!({ "password": PASSWORD })).await.result();

    let undo = async |token: &str| {
        site.visitor().post("/accounts/undo-email-change", json!({ "token": token })).await
    };
    assert_eq!(undo(&of_owner).await.result()["email"], "mira@example.org");
    undo(&of_thief).await.problem(404, "token_not_found");
    let export = json!({ "token": export });
    site.visitor().post("/accounts/open-export", export).await.problem(404, "token_not_found");
    assert_eq!(site.count("select count(*) from accounts where deletion_due_at is not null").await, 0);
    assert_eq!(site.count("select count(*) from mail_tokens where purpose = 'cancel_deletion'").await, 0);
    site.finish().await;
}

/// A thief who knows the password asks for another address, and waits.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_or_expired_password_cancels_a_change() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let new = "velvet compass orchard";
    for way in ["change", "reset", "expire"] {
        let owner = verified_player(&site, &mailbox, way).await;
        let (address, of_thief) = (format!("{way}@example.org"), format!("thief_{way}@example.org"));
        let change = json!({ "email": of_thief, "password": PASSWORD });
        owner.post("/accounts/change-email", change).await.result();
        let mail = mailbox.wait_for(&of_thief, 1).await;
        match way {
            "change" => {
                let body = json!({ "old_password": PASSWORD, "password": new });
                owner.post("/accounts/change-password", body).await.result();
            }
            "reset" => {
                site.visitor().post("/accounts/forgot-password", json!({ "email": address })).await;
                let token = mailbox.wait_for(&address, 2).await.token().to_owned();
                let body = json!({ "token": token, "password": new });
                site.visitor().post("/accounts/reset-password", body).await.result();
            }
            _ => {
                let body = json!({ "account_id": owner.account_id, "reason": "It was stolen." });
                boss.post("/admin/accounts/expire-password", body).await.result();
            }
        }
        let token = json!({ "token": mail.token() });
        site.visitor().post("/accounts/verify-email", token).await.problem(404, "token_not_found");
        if way == "change" {
            let code = json!({ "code": mail.code() });
            owner.post("/accounts/verify-email-code", code).await.problem(403, "wrong_code");
        }
    }
    site.finish().await;
}

/// The link proves that the mailbox belongs to the owner, whatever the password is.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_keeps_the_link_of_the_own_address() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    let token = mailbox.wait_for("mira@example.org", 1).await.token().to_owned();
    let change = json!({ "old_password": PASSWORD, "password": "velvet compass orchard" });
    mira.post("/accounts/change-password", change).await.result();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();
    site.finish().await;
}

/// Whether an address belongs to another account makes no difference.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_requests_ten_mails_per_hour() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "tom").await;
    // The registration is the first one.
    let mira = verified_player(&site, &mailbox, "mira").await;
    let change = async |email: &str| {
        mira.post("/accounts/change-email", json!({ "email": email, "password": PASSWORD })).await
    };
    for number in 2..=8 {
        change(&format!("mira{number}@example.org")).await.result();
    }
    change("tom@example.org").await.result();
    change("TOM@example.org").await.result();
    change("tom@example.org").await.problem(409, "too_many_mails");
    change("mira11@example.org").await.problem(409, "too_many_mails");
    for path in ["/accounts/request-export", "/accounts/delete"] {
        mira.post(path, json!({ "password": PASSWORD })).await.problem(409, "too_many_mails");
    }
    // The owner can still recover the account, and other accounts have limits of their own.
    site.visitor().post("/accounts/forgot-password", json!({ "email": "mira@example.org" })).await;
    assert_eq!(mailbox.wait_for("mira@example.org", 2).await.token().len(), 43);
    let tom = site.log_in("tom").await.ok()["access_token"].as_str().unwrap().to_owned();
    let export = json!({ "password": PASSWORD });
    site.visitor().with_token(&tom).post("/accounts/request-export", export).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_address_of_another_account_cannot_be_taken() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    verified_player(&site, &mailbox, "mira").await;
    let eve = verified_player(&site, &mailbox, "eve").await;
    let change = json!({ "email": "mira@example.org", "password": PASSWORD });
    let requested = eve.post("/accounts/change-email", change).await;
    assert_eq!(requested.result(), json!({ "new_email": "mira@example.org" }));
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    assert!(!mail.text.contains("#token="), "{}", mail.text);
    site.finish().await;
}
