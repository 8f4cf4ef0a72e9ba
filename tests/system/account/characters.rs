//! The characters of an account.

use serde_json::json;

use crate::support::{client::Client, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn characters_are_created_and_listed() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let create = async |client: &Client, name: &str| {
        client.post("/accounts/create-character", json!({ "name": name, "vocation": "Druid" })).await
    };
    let created = create(&mira, "Mira Two").await;
    assert_eq!(created.status, 201);
    assert_eq!(created.result()["level"], 1);
    create(&mira, "Mira One").await.result();
    create(&tom, "mira one").await.problem(409, "character_name_taken");
    create(&site.visitor(), "Some One").await.problem(401, "unauthorized");
    for wrong in ["Mi", "Mira!", "Mira--Two", "-Mira", "Mîra", &"a".repeat(30)] {
        create(&mira, wrong).await.invalid("/name");
    }
    let list = mira.get("/accounts/characters?limit=1&page=2").await.ok();
    assert_eq!((&list["items"][0]["name"], &list["total"]), (&json!("Mira Two"), &json!(2)));
    assert_eq!(tom.get("/accounts/characters").await.ok()["total"], 0);
    site.visitor().get("/accounts/characters").await.problem(401, "unauthorized");
    for number in 0..18 {
        create(&mira, &format!("Spare {}", "abcdefghijklmnopqr".get(number..=number).unwrap().repeat(3)))
            .await
            .result();
    }
    create(&mira, "One Too Many").await.problem(409, "too_many_characters");
    site.finish().await;
}
