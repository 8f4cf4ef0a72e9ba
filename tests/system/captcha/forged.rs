//! Solutions that the site has not asked for, and changed ones.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::solution::{altcha, encode, hash, register, solve_json};
use crate::support::{options::API_SECRET, site::Site};

fn hmac(key: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().to_vec()
}

/// The solution of a captcha that is signed with the key of the site.
fn signed(salt: &str, number: u64) -> Value {
    let purpose = b"captcha";
    let key = hmac(&STANDARD.decode(API_SECRET).unwrap(), &[&(purpose.len() as u64).to_be_bytes(), purpose]);
    let challenge = hash(salt, number);
    let signature: String =
        hmac(&key, &[challenge.as_bytes()]).iter().map(|byte| format!("{byte:02x}")).collect();
    json!({
        "algorithm": "SHA-256", "challenge": challenge, "number": number, "salt": salt, "signature": signature,
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_solution_is_refused_and_does_not_use_up_the_right_one() {
    let site = Site::start_with(altcha()).await;
    let visitor = site.visitor();
    let (right, other) = (solve_json(&visitor).await, solve_json(&visitor).await);
    let number = right["number"].as_u64().unwrap();
    let salt = right["salt"].as_str().unwrap();
    let later = salt.replace("expires=1", "expires=2");
    let changes = [
        ("number", json!(number + 1)),
        ("number", json!(number.to_string())),
        ("number", json!(u64::MAX)),
        ("salt", other["salt"].clone()),
        ("salt", json!(later)),
        ("salt", json!(salt.trim_end_matches('&'))),
        ("challenge", other["challenge"].clone()),
        ("challenge", json!(hash(&later, number))),
        ("signature", other["signature"].clone()),
        ("signature", json!("")),
        ("algorithm", json!("SHA-512")),
    ];
    for (field, value) in changes {
        let mut changed = right.clone();
        changed[field] = value;
        register(&visitor, "mira", &encode(&changed)).await.problem(403, "captcha_failed");
    }
    // A consistent solution of a salt that the site has not signed.
    let mut invented = right.clone();
    invented["salt"] = json!(later);
    invented["challenge"] = json!(hash(&later, number));
    register(&visitor, "mira", &encode(&invented)).await.problem(403, "captcha_failed");
    for text in ["bnVsbA==", "W10=", "AAAA", "%%%", &"A".repeat(8192)] {
        register(&visitor, "mira", text).await.problem(403, "captcha_failed");
    }
    register(&visitor, "mira", &"A".repeat(8193)).await.invalid("Captcha");
    assert_eq!(site.count("select count(*) from operations").await, 0);
    register(&visitor, "mira", &encode(&right)).await.result();
    site.finish().await;
}

/// The test signs with the key of the site, because a captcha of the site is valid for ten minutes.
#[tokio::test(flavor = "multi_thread")]
async fn a_captcha_expires() {
    let site = Site::start_with(altcha()).await;
    let now = chrono::Utc::now().timestamp();
    let register = async |name: &str, salt: &str, number| {
        register(&site.visitor(), name, &encode(&signed(salt, number))).await
    };
    let salt = |expires: i64| format!("00112233445566778899aabb?expires={expires}&");
    register("mira", &salt(now - 1), 7).await.problem(403, "captcha_failed");
    register("mira", &salt(now + 600), 7).await.result();
    // A site signs no captcha without a time, and none whose number could be a part of the time.
    register("tom", "00112233445566778899aabb&", 7).await.problem(403, "captcha_failed");
    register("tom", salt(now + 600).trim_end_matches('&'), 7).await.problem(403, "captcha_failed");
    // A part of the number is in the salt.
    register("tom", &format!("{}7", salt(now + 600)), 77).await.problem(403, "captcha_failed");
    register("tom", &salt(now + 600), 777).await.result();
    site.finish().await;
}
