//! Registering an account.

use serde_json::json;

use crate::support::{client::Response, community::PASSWORD, site::Site};

async fn register(site: &Site, name: &str, email: &str, password: &str) -> Response {
    let account = json!({ "name": name, "email": email, "password": password });
    site.visitor().post("/accounts/register", account).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_registers_once() {
    let site = Site::start().await;
    let register = async |name: &str, email: &str| register(&site, name, email, PASSWORD).await;
    let registered = register("mira", "mira@example.org").await;
    assert_eq!(registered.status, 201);
    assert_eq!(registered.result()["name"], "mira");
    register("MIRA", "other@example.org").await.problem(409, "account_name_taken");
    // Only a verified address is unique.
    assert_eq!(register("other", "Mira@Example.org").await.status, 201);
    register("MIRA", "mira@example.org").await.problem(409, "account_name_taken");
    let hash: String = sqlx::query_scalar("select password_hash from accounts where name = 'mira'")
        .fetch_one(&site.database)
        .await
        .unwrap();
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    let operations = "select count(*) from operations where outcome::text like '%correct horse%'";
    assert_eq!(site.count(operations).await, 0, "an operation contains the password");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_registration_names_the_field() {
    let site = Site::start().await;
    let register =
        async |name: &str, email: &str, password: &str| register(&site, name, email, password).await;
    register("1mira", "mira@example.org", "correct horse").await.invalid("/name");
    register("mi", "mira@example.org", "correct horse").await.invalid("/name");
    register("mira", "mira@", "correct horse").await.invalid("/email");
    register("mira", "mira@example", "correct horse").await.invalid("/email");
    register("mira", "mira@example.org", "short").await.invalid("/password");
    register("mira", "mira@example.org", "qwertyuiop").await.invalid("/password");
    register("mira", "mira@example.org", "mira_mira_mira").await.invalid("/password");
    register("mira", "mira@example.org", &"x".repeat(257)).await.invalid("/password");
    assert_eq!(site.count("select count(*) from accounts").await, 0);
    site.finish().await;
}
