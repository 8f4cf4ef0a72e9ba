//! The limit of requests per minute.

use serde_json::json;

use crate::support::{options::Options, rate_limit::RateLimit, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn requests_above_the_limit_are_refused_with_a_time_to_wait() {
    let site = Site::start_with(Options { requests_per_minute: 5, ..Options::default() }).await;
    let mut limit = RateLimit::per_minute(5);
    let first = site.visitor().get("/guilds/1/10").await;
    assert_eq!((first.header("ratelimit-limit"), first.header("ratelimit-remaining")), ("5", "4"));
    for _ in 0..4 {
        site.visitor().get("/guilds/1/10").await.ok();
    }
    limit.assert_refuses(async || site.visitor().get("/guilds/1/10").await).await;
    // The game server has a limit of its own.
    site.game_server().put("/game/characters", json!({ "characters": [] })).await.result();
    site.finish().await;
}
