//! Runs the scenario on the site of the environment variables, then checks the site by plain HTTP, independently of the
//! SDK.

use std::net::TcpListener;
use std::process::{Command, Output};

use anyhow::{Context, Result};
use guildhall_client::types::{DeliveryStatus, OperationProgress, OperationStatus, PaymentStatus};
use guildhall_client::{Client, Error};
use guildhall_story::{Settings, run_scenario};
use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use uuid::Uuid;

#[tokio::test]
async fn the_site_has_the_result_of_the_scenario() -> Result<()> {
    let settings = Settings::from_env()?;
    let result = run_scenario(&settings).await?;

    assert_eq!(result.created, result.created_again);
    assert_eq!((result.refusal.code.as_str(), result.refusal.status), ("already_invited", 409));
    assert_eq!(result.refusal.type_, "urn:guildhall:problem:already_invited");
    assert_eq!(result.members, 2);
    assert!(result.guilds >= 1, "{} guilds", result.guilds);
    assert_eq!(result.motd_progress, OperationProgress::Pending);
    assert_eq!(result.motd_status, OperationStatus::Applied);
    assert_eq!(result.payment_status, PaymentStatus::Paid);
    assert_eq!(result.coins, result.package_coins);
    assert_eq!(result.delivery_status, DeliveryStatus::Delivered);
    assert_eq!((result.payments, result.coin_changes.join(", ").as_str()), (1, "purchase -50, credit 100"));

    let site = Site { url: &settings.url, token: String::new() };
    let guild = site.get(&format!("/guild/view/{}", result.guild_name)).await?;
    assert_eq!(guild["guild_id"], result.created.guild_id);
    assert_eq!(guild["motd"], result.motd);
    let members: Vec<_> =
        list(&guild["members"])?.iter().map(|member| (&member["name"], &member["rank"])).collect();
    let names = (json!(result.founder_character), json!(result.friend_character));
    assert_eq!(members, [(&names.0, &json!("leader")), (&names.1, &json!("member"))]);

    let post = site.get(&format!("/news/find/{}", result.post_id)).await?;
    assert_eq!(post["title"], result.post_title);
    assert_eq!(post["author"], settings.editor.name);

    let offers = site.get(&format!("/shop/offers?category_id={}", result.category_id)).await?;
    assert_eq!(offers["total"], 1);
    let offer = &offers["items"][0];
    assert_eq!((&offer["offer_id"], &offer["name"]), (&json!(result.offer_id), &json!(result.offer_name)));
    assert_eq!(offer["price"], 50);
    assert_eq!(offer["grants"], json!([{ "kind": "item", "id": "2920", "count": 1 }]));

    let bank = Site { url: &settings.bank_url, token: String::new() };
    let charges = bank.get("/sandbox/charges?limit=100").await?;
    let charge = list(&charges["charges"])?.iter().find(|charge| charge["pixCopiaECola"] == result.payload);
    let charge = charge.context("the bank does not know the charge")?;
    assert_eq!(charge["status"], "CONCLUIDA");
    let paid: Vec<_> = list(&charge["pix"])?.iter().map(|pix| &pix["valor"]).collect();
    assert_eq!(paid, [&json!(result.amount)]);

    let founder = site.log_in(&result.founder, &result.password).await?;
    let account = founder.get("/accounts/me").await?;
    assert_eq!(account["email_verified"], true);
    assert_eq!(account["coins"], result.package_coins - 50);
    let purchases = founder.get("/shop/purchases/1/10").await?;
    assert_eq!(purchases["total"], 1);
    let lines = list(&purchases["items"][0]["lines"])?;
    assert_eq!(lines.len(), 1);
    assert_eq!((&lines[0]["offer_id"], &lines[0]["status"]), (&json!(result.offer_id), &json!("delivered")));

    assert!(site.log_in(&result.friend, &result.password).await.is_err(), "the password alone is not enough");
    let friend = Site { url: &settings.url, token: result.friend_token };
    assert_eq!(friend.get("/accounts/me").await?["email_verified"], true);
    let characters = friend.get("/accounts/characters").await?;
    assert_eq!(characters["items"][0]["name"], result.friend_character);
    Ok(())
}

/// A typed problem does not need the media type in the generator's copy of the document.
#[tokio::test]
async fn a_wrong_password_is_a_typed_problem() -> Result<()> {
    let settings = Settings::from_env()?;
    let client = Client::new(&settings.url);
    // A separate account, because attempts are limited per account.
    let name = format!("mistaken_{}", &Uuid::new_v4().simple().to_string()[..12]);
    let request = client.account_register().body_map(|account| {
        account.name(name.as_str()).email(format!("{name}@example.org")).password("the right password")
    });
    request.send().await?;

    let wrong = "not the password";
    let response =
        client.auth_log_in().body_map(|body| body.login(name.as_str()).password(wrong)).send().await;
    let Err(Error::ErrorResponse(problem)) = response else { panic!("{response:?}") };
    assert_eq!(problem.status(), StatusCode::UNAUTHORIZED);
    assert_eq!((problem.code.as_str(), problem.status), ("wrong_credentials", 401));
    assert!(problem.errors.is_empty(), "{problem:?}");

    let plain = reqwest::Client::new().post(format!("{}/auth", settings.url));
    let plain = plain.json(&json!({ "login": name, "password": wrong })).send().await?;
    assert_eq!(plain.headers()[CONTENT_TYPE], "application/problem+json");
    Ok(())
}

#[test]
fn an_unreachable_site_is_named() -> Result<()> {
    let url = format!("http://{}", TcpListener::bind("127.0.0.1:0")?.local_addr()?); // nothing listens there any more
    let output = Command::new(STORY).env("GUILDHALL_URL", &url).output()?;
    let error = format!("{url}/accounts/register does not respond: Connection refused (os error 111)");
    assert_eq!(failure(&output), error + "; `./dev up` starts a site\n");
    Ok(())
}

#[test]
fn a_missing_secret_is_named() -> Result<()> {
    let output = Command::new(STORY).env_remove("GUILDHALL_GAME_TOKEN").output()?;
    assert_eq!(failure(&output), "GUILDHALL_GAME_TOKEN is not set; `./dev sdk rust story` sets it\n");
    Ok(())
}

#[test]
fn a_refusal_is_printed_with_its_code() -> Result<()> {
    let output = Command::new(STORY).env("GUILDHALL_GAME_TOKEN", "out of date").output()?;
    let error = failure(&output);
    assert!(error.starts_with("refused: unauthorized: "), "{error}");
    Ok(())
}

const STORY: &str = env!("CARGO_BIN_EXE_guildhall-story");

/// Returns the error text of a failed run.
fn failure(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

struct Site<'a> {
    url: &'a str,
    token: String,
}

impl Site<'_> {
    async fn get(&self, path: &str) -> Result<Value> {
        let mut request = reqwest::Client::new().get(format!("{}{path}", self.url));
        if !self.token.is_empty() {
            request = request.bearer_auth(&self.token);
        }
        Ok(request.send().await?.error_for_status()?.json().await?)
    }

    async fn log_in(&self, name: &str, password: &str) -> Result<Self> {
        let request = reqwest::Client::new().post(format!("{}/auth", self.url));
        let request = request.json(&json!({ "login": name, "password": password }));
        let session: Value = request.send().await?.error_for_status()?.json().await?;
        let token = session["access_token"].as_str().context("no token")?;
        Ok(Self { url: self.url, token: token.to_owned() })
    }
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().with_context(|| format!("not a list: {value}"))
}
