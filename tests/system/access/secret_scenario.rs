//! A site at work with every secret in use, also in wrong places. Its log is searched for the secrets.

use data_encoding::BASE32_NOPAD;
use guildhall_testkit::proxy::Proxy;
use http::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::support::{
    authenticator::enable_second_factor,
    bank::Bank,
    browser::Browser,
    client::{Client, send, send_once},
    community::{PASSWORD, StaffRole},
    notification::SignedNotification,
    options::{API_SECRET, Options, SIGNING_SECRET, WEBHOOK_SECRET},
    payment::{create_payment, payload, payment_id, wait_for_status},
    site::Site,
    wait::wait_until,
};

const WRONG_PASSWORD: &str = "wrong horse battery";
const MISPLACED_PASSWORD: &str = "a password in the wrong place";

/// Uses every secret, and prints each on standard output.
pub(super) async fn run() {
    let usual = Options::default();
    let amqp = Proxy::to(&usual.amqp_url).await.unwrap();
    let redis = Proxy::to(&usual.redis_url).await.unwrap();
    let database = Proxy::to(&usual.database_url).await.unwrap();
    let bank = Bank::start().await;
    let options = Options {
        amqp_url: amqp.url.clone(),
        redis_url: redis.url.clone(),
        database_url: database.url.clone(),
        payments: bank.settings(),
        command_wait: 5,
        ..usual
    };
    let site = bank.site_with(options).await;
    announce_settings(&site, &bank);
    let mira = use_account(&site).await;
    use_second_factor(&site).await;
    use_browser(&site).await;
    pay_and_buy(&bank, &site, &mira).await;
    send_misplaced_secrets(&site, &mira).await;
    site.wait_until_notifications_are_processed(&mira).await;
    interrupt_servers([(&database, "database"), (&redis, "cache"), (&amqp, "queue")], &site, &mira).await;
    site.stop().await;
}

fn announce_settings(site: &Site, bank: &Bank) {
    announce_secret(
        "the password of the database",
        &server_password(site.servers.database_url.expose_secret()),
    );
    announce_secret("the password of RabbitMQ", &server_password(site.servers.amqp_url.expose_secret()));
    announce_secret("the password of Redis", &server_password(site.servers.redis_url.expose_secret()));
    announce_secret("the secret of the api", API_SECRET);
    announce_secret("the secret of the webhook", WEBHOOK_SECRET);
    announce_secret("the secret of signed notifications", SIGNING_SECRET.trim_start_matches("whsec_"));
    let client_secret = bank.settings().pix_client_secret.unwrap();
    announce_secret("the client secret at the bank", client_secret.expose_secret());
    announce_secret("the service token", site.game_server().token());
    announce_secret("a password", PASSWORD);
    announce_secret("a wrong password", WRONG_PASSWORD);
    announce_secret("a misplaced password", MISPLACED_PASSWORD);
    announce_secret("an e-mail address", "mira@example.org");
}

/// The password in a URL. A short one comes with the characters around it, because it may be a word.
fn server_password(url: &str) -> String {
    let (user, _) = url.rsplit_once('@').unwrap();
    let (_, password) = user.rsplit_once(':').unwrap();
    if password.len() < 12 { format!(":{password}@") } else { password.to_owned() }
}

/// Prints a secret, so that the parent process can search for it.
fn announce_secret(name: &str, secret: &str) {
    assert!(secret.len() > 8, "{name} is too short: it may occur by chance");
    println!("\n{}", json!([name, secret]));
}

fn announce_tokens(session: &Value) {
    let access = session["access_token"].as_str().unwrap();
    announce_secret("an access token", access);
    announce_secret("the signature of an access token", access.rsplit('.').next().unwrap());
    announce_secret("a refresh token", session["refresh_token"].as_str().unwrap());
}

/// Registers, logs in and refreshes.
async fn use_account(site: &Site) -> Client {
    let mira = site.player("mira").await;
    announce_secret("an access token", mira.token());
    let hash: String =
        sqlx::query_scalar("select password_hash from accounts").fetch_one(&site.database).await.unwrap();
    announce_secret("the hash of a password", &hash);
    site.execute("update accounts set email_verified_at = now()").await;
    let session = site.log_in("mira@example.org").await.ok();
    announce_tokens(&session);
    announce_secret("a device token", session["device_token"].as_str().unwrap());
    let refresh = json!({ "refresh_token": session["refresh_token"] });
    let renewed = site.visitor().post("/auth/refresh", refresh.clone()).await.ok();
    announce_tokens(&renewed);
    let successor = json!({ "refresh_token": renewed["refresh_token"] });
    announce_tokens(&site.visitor().post("/auth/refresh", successor).await.ok());
    site.visitor().post("/auth/refresh", refresh).await.problem(401, "refresh_token_reused");
    let taken = json!({ "name": "mira", "email": "mira@example.org", "password": "correct horse" });
    site.visitor().post("/accounts/register", taken).await.problem(409, "account_name_taken");
    mira
}

/// Enables a second factor, and logs in with it and with a recovery code.
async fn use_second_factor(site: &Site) {
    let app = enable_second_factor(&site.player("tom").await).await;
    announce_secret("the secret of an app", &BASE32_NOPAD.encode(&app.secret));
    for code in [app.fresh_code(site).await, app.recovery_codes[0].clone()] {
        let challenge = site.challenge("tom").await;
        announce_secret("a challenge", challenge.as_str().unwrap());
        announce_tokens(&site.answer(&challenge, &code).await.ok());
    }
    site.log_in_with_code("tom", &app.recovery_codes[0]).await.problem(401, "wrong_code");
    announce_secret("a recovery code", &app.recovery_codes[0]);
    announce_secret("a recovery code without hyphens", &app.recovery_codes[0].replace('-', ""));
}

/// Logs in a browser, refreshes, sends the cookies to other paths too, and logs out.
async fn use_browser(site: &Site) {
    let mut browser = Browser::open(site);
    let announce = |browser: &Browser| {
        for (name, value) in &browser.cookies {
            announce_secret(name, value);
        }
    };
    let session = browser.log_in("mira").await.ok();
    announce_secret("the access token of a browser", session["access_token"].as_str().unwrap());
    announce(&browser);
    browser.refresh().await.ok();
    announce(&browser);
    send(browser.request(Method::GET, "/accounts/me")).await.problem(401, "unauthorized");
    send(browser.request(Method::POST, "/auth/cookie/refresh")).await.problem(403, "cross_origin_request");
    assert_eq!(browser.log_out().await.status, 204);
}

async fn pay_and_buy(bank: &Bank, site: &Site, mira: &Client) {
    site.character(mira, "Mira Stormborn").await;
    bank.set_faults(json!({ "api": { "only": "PUT /cob/", "error": 1 } })).await;
    let payment = create_payment(mira).await;
    bank.pay(payload(&payment), "exact").await;
    wait_for_status(mira, payment_id(&payment), "paid").await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let purchase =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    mira.post("/shop/purchase", purchase).await.result();
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    boss.post(&format!("/payments/{}/refund", payment_id(&payment)), json!({ "reason": "A mistake." }))
        .await
        .result();
    let created = boss.post("/admin/service-tokens/create", json!({ "name": "World 7" })).await.ok();
    announce_secret("a created service token", created["token"].as_str().unwrap());
}

/// Sends secrets in wrong places, and wrong secrets in the right ones.
async fn send_misplaced_secrets(site: &Site, mira: &Client) {
    let visitor = site.visitor();
    let log_in =
        |password: Value| visitor.post("/auth", json!({ "login": "mira@example.org", "password": password }));
    log_in(json!(WRONG_PASSWORD)).await.problem(401, "wrong_credentials");
    log_in(json!([WRONG_PASSWORD])).await.problem(400, "invalid_request");
    let broken = visitor.request(Method::POST, "/auth").header("content-type", "application/json");
    send(broken.body(format!(r#"{{"{MISPLACED_PASSWORD}": "{WRONG_PASSWORD}""#)))
        .await
        .problem(400, "invalid_request");
    let token = mira.token();
    let encoded = MISPLACED_PASSWORD.replace(' ', "%20");
    announce_secret("a password in a URL", &encoded);
    visitor
        .get(&format!("/accounts/me?access_token={token}&password={encoded}"))
        .await
        .problem(401, "unauthorized");
    site.visitor().with_token(&format!("{token}x")).get("/accounts/me").await.problem(401, "unauthorized");
    let webhook = "/payments/instant/webhook";
    visitor
        .post(&format!("{webhook}?secret={WEBHOOK_SECRET}x"), json!({}))
        .await
        .problem(401, "unauthorized");
    let unknown = json!({ "pix": [{ "endToEndId": "E1", "txid": "0".repeat(32), "valor": "1.00" }] });
    visitor.post(&format!("{webhook}?secret={WEBHOOK_SECRET}"), unknown).await.ok();
    let mut signed = SignedNotification::new("msg_1", &json!({ "type": "payment.received", "data": {} }));
    announce_secret("the signature of a notification", signed.signature.trim_start_matches("v1,"));
    send(signed.request(&visitor)).await.ok();
    signed.id = "msg_2".to_owned();
    send(signed.request(&visitor)).await.problem(401, "unauthorized");
}

/// Interrupts each server until the api reports it. A command shows that the workers have connected again.
async fn interrupt_servers(links: [(&Proxy, &str); 3], site: &Site, mira: &Client) {
    for (link, server) in links {
        link.refuse();
        site.wait_for_readiness(server, false).await;
        if server == "database" {
            let request = mira.request(Method::GET, "/accounts/me");
            send_once(&request).await.problem(503, "database_unavailable");
        }
        link.restore();
        site.wait_for_readiness(server, true).await;
        let character = json!({ "name": format!("Mira {server}"), "vocation": "Knight" });
        let is_applied = async || {
            let response = mira.post("/accounts/create-character", character.clone()).await;
            response.is_completed() || response.status == 409
        };
        wait_until("a command of the account is applied again", is_applied).await;
    }
}
