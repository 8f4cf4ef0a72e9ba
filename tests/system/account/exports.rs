//! The copy of an account's data.

use serde_json::{Value, json};

use super::email_changes::verified_player;
use crate::support::{
    client::{Client, Response},
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    site::Site,
};

async fn ask(player: &Client) -> Response {
    player.post("/accounts/request-export", json!({ "password": PASSWORD })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_link_gives_the_data_for_ten_minutes() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let mira = verified_player(&site, &mailbox, "mira").await;
    site.character(&mira, "Mira Stormborn").await;
    site.give_coins(&mira, 500).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    mira.post("/shop/purchase", purchase).await.result();
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let note = json!({ "account_id": mira.account_id, "text": "Asked twice." });
    boss.post("/admin/accounts/add-note", note).await.result();

    mira.post("/accounts/request-export", json!({ "password": "wrong horse" }))
        .await
        .problem(403, "wrong_password");
    // Tom has verified his address. The export does not show that.
    verified_player(&site, &mailbox, "tom").await;
    for email in ["tom@example.org", "free@example.org"] {
        let change = json!({ "email": email, "password": PASSWORD });
        mira.post("/accounts/change-email", change).await.result();
    }
    ask(&mira).await.result();
    let mail = mailbox.wait_for("mira@example.org", 2).await;
    let body = json!({ "token": mail.token() });
    let open = async || site.visitor().post("/accounts/open-export", body.clone()).await;
    let link = "select expires_at from mail_tokens where purpose = 'open_export'";
    site.wait_until_ahead(link, "7 days").await;
    let opened = open().await;
    assert_eq!(opened.header("cache-control"), "no-store");
    let opened = opened.ok();
    let document: Value = serde_json::from_str(opened["document"].as_str().unwrap()).unwrap();
    assert_eq!(document["account"]["email"], "mira@example.org");
    assert_eq!(document["characters"][0]["name"], "Mira Stormborn");
    assert_eq!(document["coins"]["balance"], 250);
    assert_eq!(document["coin_entries"][0]["coins"], 500);
    assert_eq!(document["purchases"][0]["lines"][0]["name"], "Horse");
    assert_eq!(document["sessions"].as_array().unwrap().len(), 1);
    assert_eq!(document["notes_of_the_team"][0]["text"], "Asked twice.");
    let text = document.to_string();
    assert!(!text.contains("tom@example.org") && !text.contains("free@example.org"), "{text}");
    assert!(!text.contains("argon2") && !text.contains("boss"), "{text}");

    // The response may be lost. So the token is valid for ten more minutes.
    assert_eq!(open().await.ok()["document"], opened["document"]);
    site.wait_until_ahead(link, "10 minutes").await;
    site.execute("update mail_tokens set expires_at = now() where purpose = 'open_export'").await;
    open().await.problem(404, "token_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_needs_a_verified_address() {
    let site = Site::start().await;
    ask(&site.player("mira").await).await.problem(409, "mail_not_configured");
    site.finish().await;
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    ask(&site.player("mira").await).await.problem(409, "email_not_verified");
    site.finish().await;
}
