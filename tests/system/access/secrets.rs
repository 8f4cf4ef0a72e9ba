//! No secret is ever logged, however much is.

use std::{
    env,
    process::Command,
    time::{Duration, Instant},
};

use guildhall_common::platform::{
    config::{LogFormat, Logging},
    telemetry,
};
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::{runtime::Runtime, time::timeout};

use super::tokens::SECRET;
use crate::{
    bank::Bank,
    link::Link,
    payments::{chest, id, offer, stands},
    support::{Caller, GivenRole, Options, SIGNING_SECRET, Site, WEBHOOK_SECRET, send},
    webhooks::Signed,
};

/// Set in the process whose log is read.
const TELLS: &str = "GUILDHALL_TEST_TELLS_ITS_SECRETS";

/// All that is ours, and what the servers' libraries say for debugging. Not the client's, which is somebody else,
/// nor the bank's.
const LOG: &str =
    "guildhall=trace,guildhall_sandbox=off,poem=debug,poem_openapi=debug,sqlx=debug,lapin=debug,redis=debug";

const WRONG_PASSWORD: &str = "wrong horse battery";
const QUERY_PASSWORD: &str = "a password in the wrong place";

/// Where a log goes is a matter of the whole process, and this one has other tests in it: so the site is run by
/// another process of the same program, which logs as a service does. It tells its secrets on its standard output.
#[test]
fn no_secret_is_ever_logged() {
    if env::var_os(TELLS).is_some() {
        let logging = Logging { log: Some(LOG.to_owned()), log_format: LogFormat::Text };
        telemetry::init_logging(&logging, "info").unwrap();
        return Runtime::new()
            .unwrap()
            .block_on(async { timeout(Duration::from_secs(60), story()).await.unwrap() });
    }
    let mut site = Command::new(env::current_exe().unwrap());
    site.args(["--exact", "access::secrets::no_secret_is_ever_logged", "--nocapture"]).env(TELLS, "1");
    let told = site.output().unwrap();
    let (output, log) = (String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    assert!(told.status.success(), "{output}{log}");

    // The log is there, and tells of what was done with the secrets.
    for (what, words) in [
        ("a log-in", ["\"/auth\"", "status_code=200"]),
        ("a wrong log-in", ["\"/auth\"", "status_code=401"]),
        ("a log-in that is none", ["\"/auth\"", "status_code=400"]),
        ("a refresh", ["\"/auth/refresh\"", "status_code=200"]),
        ("a token in the address", ["\"/accounts/me\"", "status_code=401"]),
        ("a notification", ["\"/payments/instant/webhook\"", "status_code=200"]),
        ("a notification of somebody else", ["\"/payments/instant/webhook\"", "status_code=401"]),
        ("an api that loses Postgres", ["guildhall_api", "Postgres failed"]),
        ("a game server", ["\"/game/characters\"", "status_code=200"]),
        ("a purchase", ["\"/shop/purchase\"", "status_code=201"]),
        ("a bank in trouble", ["guildhall_workers", "the bank failed"]),
        ("workers that lose RabbitMQ", ["lost RabbitMQ", "role=\"account\""]),
        ("an api that loses RabbitMQ", ["lost RabbitMQ", "role=\"replies\""]),
        ("a site that loses Redis", ["guildhall_common", "lost Redis"]),
        ("a query", ["sqlx", "select roles from sessions"]),
    ] {
        let tells = |line: &str| words.iter().all(|word| line.contains(word));
        assert!(log.lines().any(tells), "the log tells nothing of {what}:\n{log}");
    }
    let secrets: Vec<(String, String)> =
        output.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(secrets.len() >= 20, "{output}");
    for (name, secret) in secrets {
        let line = log.lines().find(|line| line.contains(&secret));
        assert_eq!(line, None, "{name} is in the log: {secret}");
    }
}

/// The password of a server; a short one with what is around it, since it may be a word.
fn password(url: &str) -> String {
    let (user, _) = url.rsplit_once('@').unwrap();
    let (_, password) = user.rsplit_once(':').unwrap();
    if password.len() < 12 { format!(":{password}@") } else { password.to_owned() }
}

fn tell(name: &str, secret: &str) {
    assert!(secret.len() > 8, "{name} would be found everywhere");
    println!("\n{}", json!([name, secret]));
}

fn tell_tokens(session: &Value) {
    let access = session["access_token"].as_str().unwrap();
    tell("an access token", access);
    tell("an access token's signature", access.rsplit('.').next().unwrap());
    tell("a refresh token", session["refresh_token"].as_str().unwrap());
}

async fn story() {
    let usual = Options::default();
    let (amqp, redis) = (Link::to(&usual.amqp_url).await, Link::to(&usual.redis_url).await);
    let database = Link::to(&usual.database_url).await;
    let bank = Bank::start().await;
    let site = bank
        .site_with(Options {
            amqp_url: amqp.url.clone(),
            redis_url: redis.url.clone(),
            database_url: database.url.clone(),
            payments: bank.settings(),
            ..usual
        })
        .await;
    tell("the database's password", &password(site.servers.database_url.expose_secret()));
    tell("RabbitMQ's password", &password(site.servers.amqp_url.expose_secret()));
    tell("Redis' password", &password(site.servers.redis_url.expose_secret()));
    tell("the api's secret", SECRET);
    tell("the webhook's secret", WEBHOOK_SECRET);
    tell("the secret of signed notifications", SIGNING_SECRET.trim_start_matches("whsec_"));
    tell("the bank's client secret", bank.settings().pix_client_secret.unwrap().expose_secret());
    tell("the service token", site.game().token.as_ref().unwrap());
    tell("a password", "correct horse");
    tell("a wrong password", WRONG_PASSWORD);
    tell("a password in the wrong place", QUERY_PASSWORD);
    tell("an e-mail address", "mira@example.org");

    let mira = account(&site).await;
    pays_and_buys(&bank, &site, &mira).await;
    strangers(&site, &mira).await;
    site.all_read(&mira).await;
    outages([(&database, "database"), (&redis, "cache"), (&amqp, "queue")], &site, &mira).await;
    site.stop().await;
}

/// Registers, logs in and refreshes.
async fn account(site: &Site) -> Caller {
    let mira = site.player("mira").await;
    tell("an access token", mira.token.as_ref().unwrap());
    let hash: String =
        sqlx::query_scalar("select password_hash from accounts").fetch_one(&site.database).await.unwrap();
    tell("a password's hash", &hash);
    let session = site.log_in("mira@example.org").await.ok();
    tell_tokens(&session);
    let refresh = json!({ "refresh_token": session["refresh_token"] });
    tell_tokens(&site.nobody().post("/auth/refresh", refresh.clone()).await.ok());
    site.nobody().post("/auth/refresh", refresh).await.problem(401, "refresh_token_reused");
    let taken = json!({ "name": "other", "email": "mira@example.org", "password": "correct horse" });
    site.nobody().post("/accounts/register", taken).await.problem(409, "email_taken");
    mira
}

async fn pays_and_buys(bank: &Bank, site: &Site, mira: &Caller) {
    site.character(mira, "Mira Stormborn").await;
    bank.faults(json!({ "api": { "only": "PUT /cob/", "error": 1 } })).await;
    let asked = chest(mira).await;
    bank.pay(asked["payload"].as_str().unwrap(), "exact").await;
    stands(mira, id(&asked), "paid").await;
    let horse = offer(site, json!({ "name": "Horse" })).await;
    let purchase =
        json!({ "character_name": "Mira Stormborn", "lines": [{ "offer_id": horse, "quantity": 1 }] });
    mira.post("/shop/purchase", purchase).await.result();
    let boss = site.with_role("boss", GivenRole::Admin).await;
    boss.post(&format!("/payments/{}/refund", id(&asked)), json!({ "reason": "A mistake." })).await.result();
}

/// Secrets where they do not belong.
async fn strangers(site: &Site, mira: &Caller) {
    let nobody = site.nobody();
    let log_in =
        |password: Value| nobody.post("/auth", json!({ "login": "mira@example.org", "password": password }));
    log_in(json!(WRONG_PASSWORD)).await.problem(401, "wrong_credentials");
    log_in(json!([WRONG_PASSWORD])).await.problem(400, "invalid_request");
    let broken = nobody.request(Method::POST, "/auth").header("content-type", "application/json");
    send(broken.body(format!(r#"{{"{QUERY_PASSWORD}": "{WRONG_PASSWORD}""#)))
        .await
        .problem(400, "invalid_request");
    let token = mira.token.as_ref().unwrap();
    let place = QUERY_PASSWORD.replace(' ', "%20");
    tell("a password in an address", &place);
    nobody
        .get(&format!("/accounts/me?access_token={token}&password={place}"))
        .await
        .problem(401, "unauthorized");
    let spoiled = Caller { token: Some(format!("{token}x")), ..site.nobody() };
    spoiled.get("/accounts/me").await.problem(401, "unauthorized");
    let webhook = "/payments/instant/webhook";
    nobody.post(&format!("{webhook}?secret={WEBHOOK_SECRET}x"), json!({})).await.problem(401, "unauthorized");
    let unknown = json!({ "pix": [{ "endToEndId": "E1", "txid": "0".repeat(32), "valor": "1.00" }] });
    nobody.post(&format!("{webhook}?secret={WEBHOOK_SECRET}"), unknown).await.ok();
    let mut signed = Signed::new("msg_1", &json!({ "type": "payment.received", "data": {} }));
    tell("a notification's signature", signed.signature.trim_start_matches("v1,"));
    send(signed.request(&nobody)).await.ok();
    signed.id = "msg_2".to_owned();
    send(signed.request(&nobody)).await.problem(401, "unauthorized");
}

async fn outages(parts: [(&Link, &str); 3], site: &Site, mira: &Caller) {
    for (link, part) in parts {
        link.cut();
        until(site, part, false).await;
        if part == "database" {
            mira.get("/accounts/me").await.problem(503, "database_unavailable");
        }
        link.mend();
        until(site, part, true).await;
    }
}

async fn until(site: &Site, part: &str, there: bool) {
    let began = Instant::now();
    while site.nobody().get("/readyz").await.body[part] != there {
        assert!(began.elapsed() < Duration::from_secs(20), "{part} does not get {there}");
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}
