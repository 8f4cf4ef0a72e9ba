//! Verifying an e-mail address.

use serde_json::json;

use crate::support::{
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    site::Site,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_link_verifies_the_address_once() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    assert_eq!(mira.get("/accounts/me").await.ok()["email_verified"], false);
    site.log_in("mira@example.org").await.problem(401, "wrong_credentials");

    let mail = mailbox.wait_for("mira@example.org", 1).await;
    assert!(mail.text.contains("https://site.example/verify-email#token="), "{}", mail.text);
    let token = json!({ "token": mail.token() });
    let verified = site.visitor().post("/accounts/verify-email", token.clone()).await.result();
    assert_eq!(verified, json!({ "account_id": mira.account_id, "email": "mira@example.org" }));
    assert_eq!(mira.get("/accounts/me").await.ok()["email_verified"], true);
    site.log_in("Mira@Example.org").await.ok();

    site.visitor().post("/accounts/verify-email", token).await.problem(404, "token_not_found");
    mira.post("/accounts/resend-verification", json!({})).await.problem(409, "email_already_verified");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_verifies_the_address_of_its_own_account() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let code = json!({ "code": mailbox.wait_for("mira@example.org", 1).await.code() });
    tom.post("/accounts/verify-email-code", code.clone()).await.problem(403, "wrong_code");
    let verify = async || mira.post_with_key("/accounts/verify-email-code", &code, "once").await.ok();
    assert_eq!(verify().await["email"], "mira@example.org");
    assert_eq!(verify().await["email"], "mira@example.org", "the response may have been lost");
    mira.post("/accounts/verify-email-code", code.clone()).await.problem(403, "wrong_code");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn five_wrong_codes_make_the_code_invalid() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    let mail = mailbox.wait_for("mira@example.org", 1).await;
    let wrong = json!({ "code": if mail.code() == "00000000" { "11111111" } else { "00000000" } });
    for _ in 0..5 {
        mira.post("/accounts/verify-email-code", wrong.clone()).await.problem(403, "wrong_code");
    }
    let code = json!({ "code": mail.code() });
    mira.post("/accounts/verify-email-code", code).await.problem(403, "wrong_code");
    site.visitor().post("/accounts/verify-email", json!({ "token": mail.token() })).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expired_and_invented_tokens_are_refused() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    let mail = mailbox.wait_for("mira@example.org", 1).await;
    site.execute("update mail_tokens set expires_at = now()").await;
    let verify =
        async |token: &str| site.visitor().post("/accounts/verify-email", json!({ "token": token })).await;
    verify(mail.token()).await.problem(404, "token_not_found");
    verify(&"A".repeat(43)).await.problem(404, "token_not_found");
    verify("short").await.invalid("/token");
    let code = json!({ "code": mail.code() });
    mira.post("/accounts/verify-email-code", code).await.problem(403, "wrong_code");
    // A token of one purpose has no other.
    mira.post("/accounts/resend-verification", json!({})).await.result();
    let token = mailbox.wait_for("mira@example.org", 2).await.token().to_owned();
    let reset = json!({ "token": token, "password": "velvet compass orchard" });
    site.visitor().post("/accounts/reset-password", reset).await.problem(404, "token_not_found");
    site.finish().await;
}

/// The response to a registration does not show whether the address has an account. Only its owner learns it.
#[tokio::test(flavor = "multi_thread")]
async fn registering_with_the_address_of_another_account_tells_only_its_owner() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    site.player("mira").await;
    let token = mailbox.wait_for("mira@example.org", 1).await.token().to_owned();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();

    let account = json!({ "name": "eve", "email": "MIRA@example.org", "password": PASSWORD });
    let registered = site.visitor().post("/accounts/register", account).await;
    assert_eq!((registered.status, &registered.result()["name"]), (201, &json!("eve")));
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    assert!(mail.text.contains("mira") && !mail.text.contains("#token="), "{}", mail.text);
    let session = site.log_in("eve").await.ok();
    let eve = site.visitor().with_token(session["access_token"].as_str().unwrap());
    eve.post("/accounts/resend-verification", json!({})).await.result();
    let mail = mailbox.wait_for("mira@example.org", 3).await;
    assert!(!mail.text.contains("#token="), "{}", mail.text);
    // The address still belongs to the account that has verified it.
    let session = site.log_in("mira@example.org").await.ok();
    assert_ne!(session["account_id"], eve.get("/accounts/me").await.ok()["account_id"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_accounts_cannot_verify_one_address() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let register = async |name: &str, number: usize| {
        let account = json!({ "name": name, "email": "mira@example.org", "password": PASSWORD });
        site.visitor().post("/accounts/register", account).await.result();
        mailbox.wait_for("mira@example.org", number).await
    };
    let (first, second) = (register("mira", 1).await, register("eve", 2).await);
    let verify =
        async |token: &str| site.visitor().post("/accounts/verify-email", json!({ "token": token })).await;
    verify(first.token()).await.result();
    verify(second.token()).await.problem(409, "email_taken");
    let session = site.log_in("eve").await.ok();
    let eve = site.visitor().with_token(session["access_token"].as_str().unwrap());
    let code = json!({ "code": second.code() });
    eve.post("/accounts/verify-email-code", code).await.problem(409, "email_taken");
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let by_hand = json!({ "account_id": session["account_id"], "reason": "Asked on the phone." });
    boss.post("/admin/accounts/verify-email", by_hand).await.problem(409, "email_taken");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_receives_five_mails_per_hour_from_strangers() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    for _ in 0..4 {
        mira.post("/accounts/resend-verification", json!({})).await.result();
    }
    mira.post("/accounts/resend-verification", json!({})).await.problem(409, "too_many_mails");
    mailbox.wait_for("mira@example.org", 5).await;
    assert_eq!(site.count("select count(*) from mails").await, 5);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purchase_needs_a_verified_address() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira Stormborn").await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    mira.post("/shop/purchase", purchase.clone()).await.problem(403, "email_not_verified");
    let token = mailbox.wait_for("mira@example.org", 1).await.token().to_owned();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();
    mira.post("/shop/purchase", purchase).await.problem(409, "not_enough_coins");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_without_a_mail_server_says_so() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    mira.post("/accounts/resend-verification", json!({})).await.problem(409, "mail_not_configured");
    assert_eq!(site.count("select count(*) from mails").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mails_are_in_the_language_of_the_account() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = site.player("mira").await;
    let english = mailbox.wait_for("mira@example.org", 1).await.subject;
    mira.post("/accounts/change-language", json!({ "language": "pt" })).await.result();
    assert_eq!(mira.get("/accounts/me").await.ok()["language"], "pt");
    mira.post("/accounts/resend-verification", json!({})).await.result();
    let portuguese = mailbox.wait_for("mira@example.org", 2).await.subject;
    assert_ne!(english, portuguese);
    let account = json!({ "name": "ana", "email": "ana@example.org", "password": PASSWORD });
    let registration = site.visitor().request(http::Method::POST, "/accounts/register");
    let registration = registration.header("Accept-Language", "pt-BR,pt;q=0.9").json(&account);
    crate::support::client::send(registration).await.result();
    assert_eq!(mailbox.wait_for("ana@example.org", 1).await.subject, portuguese);
    site.finish().await;
}

/// The schema of an address accepts more than mail servers do.
#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_no_mail_server_accepts_is_refused() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    for email in ["a..b@example.org", ".a@example.org", "a.@example.org", "a@-.example"] {
        let account = json!({ "name": "eve", "email": email, "password": PASSWORD });
        site.visitor().post("/accounts/register", account).await.problem(409, "email_not_accepted");
        let change = json!({ "email": email, "password": PASSWORD });
        mira.post("/accounts/change-email", change).await.problem(409, "email_not_accepted");
    }
    site.player("eve").await;
    site.finish().await;
}
