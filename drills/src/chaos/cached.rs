//! What the cache holds, and what it holds when everything in it has been asked for anew.

use std::collections::BTreeMap;

use ::redis::cmd;
use anyhow::ensure;
use futures_util::{StreamExt, TryStreamExt, stream};
use reqwest::Method;
use serde_json::Value;

use super::{fault::redis, site::Site};

/// Reads that are on their way at once.
const AT_ONCE: usize = 16;

/// Of one caller each: nobody else can ask for them.
const PRIVATE: [&str; 2] = [":session:", ":service-token:"];

/// By the name of the hash, and the field in it.
type Answers = BTreeMap<(String, String), String>;

/// A line for each answer in the cache that is not what the database has.
///
/// # Errors
/// When a server does not answer, or nothing was cached.
pub(super) async fn compare(site: &Site) -> anyhow::Result<Vec<String>> {
    let cached = held().await?;
    ensure!(!cached.is_empty(), "nothing is cached");
    redis::flush().await?;
    // An answer that Redis is slow to take is not kept the first time.
    for _ in 0..2 {
        read_all(site).await?;
    }
    let fresh = held().await?;
    let mut violations = Vec::new();
    println!("{} answers were cached, and are compared with fresh ones", cached.len());
    for ((key, field), cached) in cached {
        let fresh = fresh.get(&(key.clone(), field.clone()));
        if fresh != Some(&cached) {
            violations.push(format!("stale: {key} {field} was cached as {cached}, and is {fresh:?}"));
        }
    }
    Ok(violations)
}

/// All that anybody has read without a token.
async fn read_all(site: &Site) -> anyhow::Result<()> {
    stream::iter(site.journal.read_by_all())
        .map(Ok)
        .try_for_each_concurrent(AT_ONCE, async |path| {
            site.nobody.ask(Method::GET, &path, &Value::Null).await.map(drop)
        })
        .await
}

/// All that is cached for everybody.
async fn held() -> anyhow::Result<Answers> {
    let mut redis = redis::connect().await?;
    let keys: Vec<String> = cmd("KEYS").arg("*").query_async(&mut redis).await?;
    let mut held = BTreeMap::new();
    for key in keys.into_iter().filter(|key| !PRIVATE.iter().any(|kind| key.contains(kind))) {
        let kind: String = cmd("TYPE").arg(&key).query_async(&mut redis).await?;
        if kind != "hash" {
            continue;
        }
        let answers: BTreeMap<String, Vec<u8>> = cmd("HGETALL").arg(&key).query_async(&mut redis).await?;
        for (field, answer) in answers.into_iter().filter(|(field, _)| field != "token") {
            held.insert((key.clone(), field), String::from_utf8_lossy(&answer).into_owned());
        }
    }
    Ok(held)
}
