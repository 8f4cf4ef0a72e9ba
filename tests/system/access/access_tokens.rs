//! Access tokens: only as the api issued them. `account/sessions.rs` has the simpler forgeries.

use base64::{Engine, engine::general_purpose::STANDARD};
use http::Method;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::forgery::{assert_unauthorized, claims_of, sign, signing_seed, with_changed_character};
use crate::support::{
    client::{Response, send},
    options::API_SECRET,
    site::Site,
};

fn with_claim(claims: &Value, name: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    claims[name] = value;
    claims
}

fn without_claim(claims: &Value, name: &str) -> Value {
    let mut claims = claims.clone();
    claims.as_object_mut().unwrap().shift_remove(name);
    claims
}

/// Reads the account with these headers and this query.
async fn me(site: &Site, authorization: &[&str], query: &str) -> Response {
    let request = site.visitor().request(Method::GET, &format!("/accounts/me{query}"));
    send(authorization.iter().fold(request, |request, value| request.header("Authorization", *value))).await
}

/// Tokens with other claims than the api issued, or signed otherwise.
fn forged_claims(genuine: &str, other_account_id: i64) -> Vec<(&'static str, String)> {
    let (genuine_seed, other_seed) = (signing_seed(API_SECRET), signing_seed(&STANDARD.encode([7; 32])));
    let public = ed25519_dalek::SigningKey::from_bytes(&genuine_seed).verifying_key();
    let (claims, now) = (claims_of(genuine), chrono::Utc::now().timestamp());
    let hs256 = |secret: &[u8]| {
        let key = EncodingKey::from_secret(secret);
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
    };
    let with = |name: &str, value: Value| sign(genuine_seed, &with_claim(&claims, name, value));
    let without = |name: &str| sign(genuine_seed, &without_claim(&claims, name));
    vec![
        ("another key", sign(other_seed, &claims)),
        ("expired a second ago", with("exp", json!(now - 1))),
        ("without expiry", without("exp")),
        ("another issuer", with("iss", json!("guildhall.example"))),
        ("no issuer", without("iss")),
        ("another audience", with("aud", json!("guildhall.example"))),
        ("no audience", without("aud")),
        ("no account", without("sub")),
        ("no session", without("sid")),
        ("an unknown session", with("sid", json!(uuid::Uuid::now_v7()))),
        ("another account with this session", with("sub", json!(other_account_id.to_string()))),
        ("HS256 with the public key", hs256(public.as_bytes())),
        ("HS256 with the public key as PEM", hs256(public_key_pem(public.as_bytes()).as_bytes())),
    ]
}

fn public_key_pem(key: &[u8]) -> String {
    let der = [&[0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0], key].concat();
    format!("-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n", STANDARD.encode(der))
}

/// A genuine token with changed text.
fn changed_texts(genuine: &str) -> Vec<(&'static str, String)> {
    vec![
        ("without its last letter", genuine[..genuine.len() - 1].to_owned()),
        ("without its signature", genuine[..genuine.rfind('.').unwrap()].to_owned()),
        ("half of it", genuine[..genuine.len() / 2].to_owned()),
        ("twice", format!("{genuine}{genuine}")),
        ("one letter more", format!("{genuine}A")),
        ("padded", format!("{genuine}==")),
        ("another last letter", with_changed_character(genuine, genuine.len() - 1)),
        ("another letter of the claims", with_changed_character(genuine, genuine.find('.').unwrap() + 40)),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn only_an_unchanged_access_token_is_accepted() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let genuine = mira.token().to_owned();
    // The forgery works: with the key of the api and unchanged claims, the token is valid.
    let signed_again = sign(signing_seed(API_SECRET), &claims_of(&genuine));
    me(&site, &[&format!("Bearer {signed_again}")], "").await.ok();
    let refresh_token = site.log_in("mira").await.ok()["refresh_token"].as_str().unwrap().to_owned();
    let mut forged = forged_claims(&genuine, tom.account_id);
    forged.extend(changed_texts(&genuine));
    forged.push(("a refresh token", refresh_token));
    for (name, token) in forged {
        assert_unauthorized(name, me(&site, &[&format!("Bearer {token}")], "").await);
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_access_token_is_accepted_only_in_its_header() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let (token, other_token) = (mira.token().to_owned(), tom.token().to_owned());
    let basic = format!("Basic {}", STANDARD.encode("mira:correct horse"));
    let valid = format!("Bearer {token}");
    for value in [
        basic.as_str(),
        &format!("Basic {token}"),
        &token,
        "Bearer",
        "Bearer ",
        &format!("Token {token}"),
        &format!("{valid}, Bearer {other_token}"),
        &format!("{valid} {other_token}"),
    ] {
        assert_unauthorized(value, me(&site, &[value], "").await);
    }
    for parameter in ["access_token", "token", "authorization", "Authorization"] {
        assert_unauthorized(parameter, me(&site, &[], &format!("?{parameter}={token}")).await);
    }
    let cookie =
        site.visitor().request(Method::GET, "/accounts/me").header("Cookie", format!("access_token={token}"));
    assert_unauthorized("a cookie", send(cookie).await);
    me(&site, &[&valid], "").await.ok();
    site.finish().await;
}
