//! Refresh tokens and the sessions that they belong to.

use serde_json::{Value, json};

use super::forgery::assert_unauthorized;
use crate::support::{
    client::{Client, Response},
    site::Site,
};

/// The access token and the refresh token of a session.
fn tokens_of(response: &Value) -> (String, String) {
    let token = |name: &str| response[name].as_str().unwrap().to_owned();
    (token("access_token"), token("refresh_token"))
}

async fn refresh(client: &Client, token: &str) -> Response {
    client.post("/auth/refresh", json!({ "refresh_token": token })).await
}

async fn me(site: &Site, access_token: &str) -> Response {
    site.visitor().with_token(access_token).get("/accounts/me").await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_renews_and_ends_only_its_own_session() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let (_, refresh_of_tom) = tokens_of(&site.log_in("tom").await.ok());
    let (phone, refresh_of_phone) = tokens_of(&site.log_in("mira").await.ok());
    let (laptop, refresh_of_laptop) = tokens_of(&site.log_in("mira").await.ok());

    // The token counts, and not the account that sends it.
    let renewed = refresh(&mira, &refresh_of_tom).await.ok();
    assert_eq!(renewed["account_id"], tom.account_id);
    let (renewed_access, successor) = tokens_of(&renewed);
    assert_eq!(me(&site, &renewed_access).await.ok()["name"], "tom");
    refresh(&mira, &successor).await.ok();
    refresh(&mira, &refresh_of_tom).await.problem(401, "refresh_token_reused");
    assert_unauthorized("the session of a token that was used twice", me(&site, &renewed_access).await);

    // The other session of Tom continues, and so do the sessions of Mira, who sent the token.
    for untouched in [tom.token(), &phone, &laptop] {
        me(&site, untouched).await.ok();
    }
    let (_, successor) = tokens_of(&refresh(&mira, &refresh_of_phone).await.ok());
    refresh(&mira, &successor).await.ok();
    refresh(&site.visitor(), &refresh_of_phone).await.problem(401, "refresh_token_reused");
    assert_unauthorized("the first access token of that session", me(&site, &phone).await);
    me(&site, &laptop).await.ok();

    site.visitor().with_token(&laptop).delete("/auth").await.result();
    let after_log_out = refresh(&site.visitor(), &refresh_of_laptop).await;
    assert_unauthorized("a refresh token after the log-out", after_log_out);
    let (_, expired) = tokens_of(&site.log_in("mira").await.ok());
    site.execute("update refresh_tokens set expires_at = now()").await;
    assert_unauthorized("an expired refresh token", refresh(&site.visitor(), &expired).await);
    site.finish().await;
}
