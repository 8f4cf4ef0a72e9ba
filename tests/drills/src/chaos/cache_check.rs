//! A check of the cache: each cached response must be equal to a newly loaded one.

use std::collections::BTreeMap;

use ::redis::cmd;
use anyhow::ensure;
use futures_util::{StreamExt, TryStreamExt, stream};
use http::Method;
use serde_json::Value;

use super::{fault::redis, site::ChaosSite};

/// The number of reads at the same time.
const CONCURRENT_READS: usize = 16;

/// Keys of responses for one caller. The check cannot load them again.
const PRIVATE_KEYS: [&str; 2] = [":session:", ":service-tokens:"];

/// Cached responses, by the key and the field of their hash.
type CachedResponses = BTreeMap<(String, String), String>;

/// Returns a violation for each cached response that differs from a newly loaded one.
///
/// # Errors
/// When a server does not respond, or the cache is empty.
pub(super) async fn check(site: &ChaosSite) -> anyhow::Result<Vec<String>> {
    let cached = read_cache().await?;
    ensure!(!cached.is_empty(), "the cache is empty");
    redis::flush().await?;
    // Twice: a response is not cached when Redis is slow.
    for _ in 0..2 {
        load_public_paths(site).await?;
    }
    let loaded = read_cache().await?;
    let mut violations = Vec::new();
    println!("comparing {} cached responses with newly loaded ones", cached.len());
    for ((key, field), cached) in cached {
        let loaded = loaded.get(&(key.clone(), field.clone()));
        if loaded != Some(&cached) {
            violations.push(format!("stale: {key} {field} was cached as {cached}, but is {loaded:?}"));
        }
    }
    Ok(violations)
}

/// Reads all paths that were read without a token.
async fn load_public_paths(site: &ChaosSite) -> anyhow::Result<()> {
    stream::iter(site.journal.public_paths())
        .map(Ok)
        .try_for_each_concurrent(CONCURRENT_READS, async |path| {
            site.anonymous.send(Method::GET, &path, &Value::Null).await.map(drop)
        })
        .await
}

/// All cached responses that are the same for every caller.
async fn read_cache() -> anyhow::Result<CachedResponses> {
    let mut redis = redis::connect().await?;
    let keys: Vec<String> = cmd("KEYS").arg("*").query_async(&mut redis).await?;
    let mut cached = BTreeMap::new();
    for key in keys.into_iter().filter(|key| !PRIVATE_KEYS.iter().any(|kind| key.contains(kind))) {
        let kind: String = cmd("TYPE").arg(&key).query_async(&mut redis).await?;
        if kind != "hash" {
            continue;
        }
        let responses: BTreeMap<String, Vec<u8>> = cmd("HGETALL").arg(&key).query_async(&mut redis).await?;
        for (field, response) in responses.into_iter().filter(|(field, _)| field != "token") {
            cached.insert((key.clone(), field), String::from_utf8_lossy(&response).into_owned());
        }
    }
    Ok(cached)
}
