//! Captchas of the kind altcha, solved as a client does it, and requests with solutions.

use base64::{Engine, engine::general_purpose::STANDARD};
use guildhall_api::config::{CaptchaKind, CaptchaPlace, CaptchaSettings};
use guildhall_testkit::http::registration;
use http::Method;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::support::{
    client::{Client, Request, Response, send},
    community::PASSWORD,
    options::{Options, no_captcha},
    site::Site,
};

/// A site with captchas of the kind altcha at all places.
pub(super) fn altcha() -> Options {
    use CaptchaPlace::{LogIn, Recovery, Registration};
    let captcha = CaptchaSettings {
        captcha: CaptchaKind::Altcha,
        captcha_at: vec![Registration, Recovery, LogIn],
        ..no_captcha()
    };
    Options { captcha, ..Options::default() }
}

/// Another api of the site. Both apis are connected to Redis.
pub(super) async fn another_api(site: &mut Site, options: &Options) -> Client {
    let api = site.start_another_api(options).await;
    site.wait_for_readiness("cache", true).await;
    api
}

/// SHA-256 of the salt and the number, in hex.
pub(super) fn hash(salt: &str, number: u64) -> String {
    Sha256::digest(format!("{salt}{number}")).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The solution of a new captcha, before it is encoded.
pub(super) async fn solve_json(client: &Client) -> Value {
    let mut captcha = client.get("/captcha").await.ok();
    let (salt, challenge) = (captcha["salt"].as_str().unwrap(), captcha["challenge"].as_str().unwrap());
    let maxnumber = captcha["maxnumber"].as_u64().unwrap();
    let number = (0..=maxnumber).find(|number| hash(salt, *number) == challenge).unwrap();
    for other in ["kind", "required_at", "maxnumber"] {
        captcha.as_object_mut().unwrap().remove(other);
    }
    captcha["number"] = number.into();
    captcha
}

/// The value of the header.
pub(super) fn encode(solution: &Value) -> String {
    STANDARD.encode(solution.to_string())
}

/// The solution of a new captcha.
pub(super) async fn solve(client: &Client) -> String {
    encode(&solve_json(client).await)
}

/// A request without a token, with the solution of a captcha.
pub(super) fn request(client: &Client, path: &str, body: &Value, solution: &str) -> Request {
    client.request(Method::POST, path).header("Captcha", solution).json(body)
}

pub(super) async fn register(client: &Client, name: &str, solution: &str) -> Response {
    send(request(client, "/accounts/register", &account(name), solution)).await
}

pub(super) async fn register_with_key(client: &Client, name: &str, solution: &str, key: &str) -> Response {
    let request = request(client, "/accounts/register", &account(name), solution);
    send(request.header("Idempotency-Key", key)).await
}

pub(super) fn account(name: &str) -> Value {
    registration(name, PASSWORD)
}
