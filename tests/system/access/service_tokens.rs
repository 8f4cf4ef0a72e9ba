//! Service tokens: only as they were issued.

use serde_json::json;

use super::forgery::{assert_unauthorized, with_changed_character};
use crate::support::site::Site;

#[tokio::test(flavor = "multi_thread")]
async fn only_an_unchanged_service_token_is_accepted() {
    let site = Site::start().await;
    let genuine = site.game_server().token().to_owned();
    let report = async |token: &str| {
        let game_server = site.visitor().with_token(token);
        game_server.put("/game/characters", json!({ "characters": [] })).await
    };
    report(&genuine).await.result();
    for at in 0..genuine.len() {
        assert_unauthorized("a changed character", report(&with_changed_character(&genuine, at)).await);
    }
    for token in [
        genuine.to_uppercase(),
        genuine.trim_start_matches("ghs_").to_owned(),
        format!("ghs_{genuine}"),
        format!("{genuine}0"),
        genuine[..genuine.len() - 1].to_owned(),
    ] {
        assert_unauthorized(&token, report(&token).await);
    }
    site.finish().await;
}
