//! What is taken for a token: beyond what `accounts.rs` has seen already.

use std::collections::BTreeMap;

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use reqwest::{Method, header::HeaderValue};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::{Answer, Caller, Site, send};

/// The secret of the sites under test. If it is another, the forger's own token is no good, and that is noticed.
pub(super) const SECRET: &str = "3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=";

/// The seed that an api with this secret signs its access tokens with.
fn seed(secret: &str) -> [u8; 32] {
    let purpose = b"access tokens";
    let mut mac = Hmac::<Sha256>::new_from_slice(&STANDARD.decode(secret).unwrap()).unwrap();
    mac.update(&(purpose.len() as u64).to_be_bytes());
    mac.update(purpose);
    mac.finalize().into_bytes().into()
}

fn signed(seed: [u8; 32], claims: &Value) -> String {
    /// An Ed25519 key of PKCS #8 up to its seed, RFC 8410 §7.
    const PKCS8: [u8; 16] = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    let key = EncodingKey::from_ed_der(&[PKCS8.as_slice(), &seed].concat());
    jsonwebtoken::encode(&Header::new(Algorithm::EdDSA), claims, &key).unwrap()
}

fn claims(token: &str) -> Value {
    let claims = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

fn with(claims: &Value, name: &str, value: Value) -> Value {
    let mut claims = claims.clone();
    claims[name] = value;
    claims
}

fn without(claims: &Value, name: &str) -> Value {
    let mut claims = claims.clone();
    claims.as_object_mut().unwrap().shift_remove(name);
    claims
}

/// The same with another letter or digit at this place.
pub(super) fn changed(token: &str, at: usize) -> String {
    let other = if &token[at..=at] == "a" { "b" } else { "a" };
    format!("{}{other}{}", &token[..at], &token[at + 1..])
}

fn tokens(answer: &Value) -> (String, String) {
    let token = |name: &str| answer[name].as_str().unwrap().to_owned();
    (token("access_token"), token("refresh_token"))
}

async fn me(site: &Site, authorization: &[&str], query: &str) -> Answer {
    let request = site.nobody().request(Method::GET, &format!("/accounts/me{query}"));
    send(authorization.iter().fold(request, |request, value| request.header("Authorization", *value))).await
}

#[track_caller]
fn is_nobodys(name: &str, answer: Answer) {
    assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer"), "{name}: {answer:?}");
    let problem = answer.problem(401, "unauthorized");
    assert_eq!(problem["type"], "urn:guildhall:problem:unauthorized", "{name}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_good_as_it_was_issued_and_in_no_other_way() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let genuine = mira.token.clone().unwrap();
    let (_, refresh_token) = tokens(&site.log_in("mira").await.ok());
    let (ours, theirs) = (seed(SECRET), seed(&STANDARD.encode([7; 32])));
    let public = ed25519_dalek::SigningKey::from_bytes(&ours).verifying_key();
    let (claims, now) = (claims(&genuine), chrono::Utc::now().timestamp());
    let hs256 = |secret: &[u8]| {
        let key = EncodingKey::from_secret(secret);
        jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &key).unwrap()
    };
    let public_pem = format!(
        "-----BEGIN PUBLIC KEY-----\n{}\n-----END PUBLIC KEY-----\n",
        STANDARD.encode(
            [&[0x30, 0x2a, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 3, 0x21, 0], public.as_bytes().as_slice()]
                .concat(),
        )
    );

    // The forger can do it: with our key and nothing changed, it is our token.
    me(&site, &[&format!("Bearer {}", signed(ours, &claims))], "").await.ok();
    let forged = BTreeMap::from([
        ("another key", signed(theirs, &claims)),
        ("expired a second ago", signed(ours, &with(&claims, "exp", json!(now - 1)))),
        ("never expires", signed(ours, &without(&claims, "exp"))),
        ("another issuer", signed(ours, &with(&claims, "iss", json!("guildhall.example")))),
        ("no issuer", signed(ours, &without(&claims, "iss"))),
        ("another audience", signed(ours, &with(&claims, "aud", json!("guildhall.example")))),
        ("no audience", signed(ours, &without(&claims, "aud"))),
        ("nobody's", signed(ours, &without(&claims, "sub"))),
        ("of no session", signed(ours, &without(&claims, "sid"))),
        ("of a session that never was", signed(ours, &with(&claims, "sid", json!(uuid::Uuid::now_v7())))),
        (
            "another account's, of this session",
            signed(ours, &with(&claims, "sub", json!(tom.account_id.to_string()))),
        ),
        ("HS256 with the public key", hs256(public.as_bytes())),
        ("HS256 with the public key as PEM", hs256(public_pem.as_bytes())),
        ("without its last letter", genuine[..genuine.len() - 1].to_owned()),
        ("without its signature", genuine[..genuine.rfind('.').unwrap()].to_owned()),
        ("half of it", genuine[..genuine.len() / 2].to_owned()),
        ("twice", format!("{genuine}{genuine}")),
        ("one letter more", format!("{genuine}A")),
        ("padded", format!("{genuine}==")),
        ("another last letter", changed(&genuine, genuine.len() - 1)),
        ("another letter of the claims", changed(&genuine, genuine.find('.').unwrap() + 40)),
        ("a refresh token", refresh_token),
    ]);
    for (name, token) in forged {
        is_nobodys(name, me(&site, &[&format!("Bearer {token}")], "").await);
    }

    let basic = format!("Basic {}", STANDARD.encode("mira:correct horse"));
    let good = format!("Bearer {genuine}");
    let toms = tom.token.clone().unwrap();
    for value in [
        basic.as_str(),
        &format!("Basic {genuine}"),
        &genuine,
        "Bearer",
        "Bearer ",
        &format!("Token {genuine}"),
        &format!("{good}, Bearer {toms}"),
        &format!("{good} {toms}"),
    ] {
        is_nobodys(value, me(&site, &[value], "").await);
    }
    for query in ["access_token", "token", "authorization", "Authorization"] {
        is_nobodys(query, me(&site, &[], &format!("?{query}={genuine}")).await);
    }
    let cookie = site
        .nobody()
        .request(Method::GET, "/accounts/me")
        .header("Cookie", format!("access_token={genuine}"));
    is_nobodys("a cookie", send(cookie).await);
    me(&site, &[&good], "").await.ok();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_token_is_good_to_the_last_letter() {
    let site = Site::start().await;
    let genuine = site.game().token.clone().unwrap();
    let ask = |token: String| {
        let game = Caller { token: Some(token), ..site.nobody() };
        async move { game.put("/game/characters", json!({ "characters": [] })).await }
    };
    ask(genuine.clone()).await.result();
    for at in 0..genuine.len() {
        is_nobodys("one letter is another", ask(changed(&genuine, at)).await);
    }
    for token in [
        genuine.to_uppercase(),
        genuine.trim_start_matches("ghs_").to_owned(),
        format!("ghs_{genuine}"),
        format!("{genuine}0"),
        genuine[..genuine.len() - 1].to_owned(),
    ] {
        is_nobodys(&token.clone(), ask(token).await);
    }
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_is_of_one_session_and_no_other() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let refresh = |by: &Caller, token: &str| {
        let (by, token) = (by.clone(), json!({ "refresh_token": token }));
        async move { by.post("/auth/refresh", token).await }
    };
    let as_of = |access: &str| Caller { token: Some(access.to_owned()), ..site.nobody() };
    let (_, toms) = tokens(&site.log_in("tom").await.ok());
    let (phone, phones) = tokens(&site.log_in("mira").await.ok());
    let (laptop, laptops) = tokens(&site.log_in("mira").await.ok());

    // Whoever presents it, it is Tom's.
    let renewed = refresh(&mira, &toms).await.ok();
    assert_eq!(renewed["account_id"], tom.account_id);
    let (toms_next, _) = tokens(&renewed);
    assert_eq!(as_of(&toms_next).get("/accounts/me").await.ok()["name"], "tom");
    refresh(&mira, &toms).await.problem(401, "refresh_token_reused");
    is_nobodys("the session of which a token was used twice", as_of(&toms_next).get("/accounts/me").await);

    // Tom's other session is none of it, nor are those of Mira, who presented it.
    for untouched in [tom.token.as_ref().unwrap(), &phone, &laptop] {
        as_of(untouched).get("/accounts/me").await.ok();
    }
    refresh(&mira, &phones).await.ok();
    refresh(&site.nobody(), &phones).await.problem(401, "refresh_token_reused");
    is_nobodys("the first access token of that session", as_of(&phone).get("/accounts/me").await);
    as_of(&laptop).get("/accounts/me").await.ok();

    as_of(&laptop).delete("/auth").await.result();
    is_nobodys("a refresh token after the log-out", refresh(&site.nobody(), &laptops).await);
    let (_, late) = tokens(&site.log_in("mira").await.ok());
    sqlx::raw_sql("update refresh_tokens set expires_at = now()").execute(&site.database).await.unwrap();
    is_nobodys("a refresh token that has expired", refresh(&site.nobody(), &late).await);
    site.finish().await;
}

/// Of two tokens, a proxy may have looked at the other. And where a visitor would be let in, a token that cannot be
/// read is told as any other bad one.
#[tokio::test(flavor = "multi_thread")]
async fn an_authorization_that_is_not_one_token_is_a_bad_one() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let bearer = |caller: &Caller| format!("Bearer {}", caller.token.as_ref().unwrap());
    let (mira, tom) = (bearer(&mira), bearer(&tom));
    let value = |text: &[u8]| HeaderValue::from_bytes(text).unwrap();
    let mut let_in = vec![];
    for (name, values) in [
        ("a bad one and a good one", vec![value(b"Bearer x"), value(mira.as_bytes())]),
        ("another scheme and a good one", vec![value(b"Basic x"), value(mira.as_bytes())]),
        ("a good one and a bad one", vec![value(mira.as_bytes()), value(b"Bearer x")]),
        ("two good ones", vec![value(mira.as_bytes()), value(tom.as_bytes())]),
        ("the same twice", vec![value(mira.as_bytes()), value(mira.as_bytes())]),
        ("no text", vec![value(b"Bearer \xff")]),
    ] {
        for path in ["/accounts/me", "/shop/category/list"] {
            let request = site.nobody().request(Method::GET, path);
            let request =
                values.iter().fold(request, |request, value| request.header("Authorization", value));
            let answer = send(request).await;
            if answer.status == 401 {
                is_nobodys(name, answer);
            } else {
                let_in.push(format!("{name} at {path}: {}", answer.status));
            }
        }
    }
    assert!(let_in.is_empty(), "let in:\n  {}", let_in.join("\n  "));
    site.finish().await;
}
