//! Authorization headers that are not exactly one token.

use http::{HeaderValue, Method};

use super::forgery::assert_unauthorized;
use crate::support::{
    client::{Client, send},
    site::Site,
};

/// A proxy may check another of two tokens than the api. A path that is open to visitors refuses invalid tokens too.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_with_several_or_unreadable_tokens_is_refused() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let bearer = |client: &Client| format!("Bearer {}", client.token());
    let (mira, tom) = (bearer(&mira), bearer(&tom));
    let value = |text: &[u8]| HeaderValue::from_bytes(text).unwrap();
    let mut admitted = vec![];
    for (name, values) in [
        ("an invalid and a valid token", vec![value(b"Bearer x"), value(mira.as_bytes())]),
        ("another scheme and a valid token", vec![value(b"Basic x"), value(mira.as_bytes())]),
        ("a valid and an invalid token", vec![value(mira.as_bytes()), value(b"Bearer x")]),
        ("two valid tokens", vec![value(mira.as_bytes()), value(tom.as_bytes())]),
        ("the same token twice", vec![value(mira.as_bytes()), value(mira.as_bytes())]),
        ("bytes that are not text", vec![value(b"Bearer \xff")]),
    ] {
        for path in ["/accounts/me", "/shop/category/list"] {
            let request = site.visitor().request(Method::GET, path);
            let request =
                values.iter().fold(request, |request, value| request.header("Authorization", value));
            let response = send(request).await;
            if response.status == 401 {
                assert_unauthorized(name, response);
            } else {
                admitted.push(format!("{name} at {path}: {}", response.status));
            }
        }
    }
    assert!(admitted.is_empty(), "admitted:\n  {}", admitted.join("\n  "));
    site.finish().await;
}
