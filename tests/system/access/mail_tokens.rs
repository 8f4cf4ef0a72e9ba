//! Ten thousand tokens of mails that are guessed, mutated, used, expired, or of another purpose. None of them is accepted.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;
use uuid::Uuid;

use super::forgery::with_changed_character;
use crate::support::{client::Client, community::PASSWORD, mailbox::Mailbox, site::Site};

const ATTEMPTS: usize = 10_000;

/// Each path with the token that it would accept. The first token was used.
async fn sent_tokens(site: &Site, mailbox: &Mailbox) -> Vec<(&'static str, String)> {
    let mira = site.player("mira").await;
    let token_of =
        async |email: &str, number: usize| mailbox.wait_for(email, number).await.token().to_owned();
    let used = token_of("mira@example.org", 1).await;
    site.visitor().post("/accounts/verify-email", json!({ "token": used })).await.result();
    let password = json!({ "password": PASSWORD });
    mira.post("/accounts/request-export", password.clone()).await.result();
    let export = token_of("mira@example.org", 2).await;
    mira.post("/accounts/delete", password).await.result();
    let deletion = token_of("mira@example.org", 3).await;
    site.visitor().post("/accounts/forgot-password", json!({ "email": "mira@example.org" })).await;
    let reset = token_of("mira@example.org", 4).await;
    let change = json!({ "email": "new@example.org", "password": PASSWORD });
    mira.post("/accounts/change-email", change).await.result();
    let verification = token_of("new@example.org", 1).await;
    vec![
        ("/accounts/undo-email-change", used),
        ("/accounts/verify-email", verification),
        ("/accounts/reset-password", reset),
        ("/accounts/open-export", export),
        ("/accounts/cancel-deletion-by-link", deletion),
    ]
}

/// A random token, or a valid one with another character.
fn forge(tokens: &[(&str, String)], number: usize) -> String {
    let (_, token) = &tokens[number / 2 % tokens.len()];
    if number.is_multiple_of(2) {
        let random = [Uuid::new_v4(), Uuid::new_v4()].map(Uuid::into_bytes).concat();
        return URL_SAFE_NO_PAD.encode(random);
    }
    with_changed_character(token, number % token.len())
}

async fn assert_refused(visitor: &Client, path: &str, token: &str) {
    let mut body = json!({ "token": token });
    if path == "/accounts/reset-password" {
        body["password"] = json!("velvet compass orchard");
    }
    visitor.post(path, body).await.problem(404, "token_not_found");
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_wrong_tokens_of_mails_are_refused() {
    let mailbox = Mailbox::start().await;
    let site = mailbox.site().await;
    let tokens = sent_tokens(&site, &mailbox).await;
    let visitor = site.visitor();
    for (path, _) in &tokens {
        for (own_path, token) in &tokens {
            if path != own_path || *token == tokens[0].1 {
                assert_refused(&visitor, path, token).await;
            }
        }
    }
    let senders = (0..16).map(|sender| {
        let (visitor, tokens) = (site.visitor(), tokens.clone());
        tokio::spawn(async move {
            for number in (sender..ATTEMPTS).step_by(16) {
                // A new password costs a hash, so its path gets fewer of the tokens.
                let path = if number % 100 == 0 { 2 } else { [0, 1, 3, 4][number % 4] };
                assert_refused(&visitor, tokens[path].0, &forge(&tokens, number)).await;
            }
        })
    });
    for sender in senders.collect::<Vec<_>>() {
        sender.await.unwrap();
    }
    site.execute("update mail_tokens set expires_at = now()").await;
    for (path, token) in &tokens {
        assert_refused(&visitor, path, token).await;
    }
    let unchanged =
        "select count(*) from accounts where email = 'mira@example.org' and deletion_due_at is not null";
    assert_eq!(site.count(unchanged).await, 1);
    site.log_in("mira").await.ok();
    site.finish().await;
}
