//! Logos in an object store.

use serde_json::json;

use super::logos::{get, picture, shown, upload};
use crate::support::{object_store::FakeObjectStore, options::Options, site::Site, wait::wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn logos_move_to_the_object_store_and_leave_it_when_they_are_purged() {
    let store = FakeObjectStore::start().await;
    let site = Site::start_with(Options { objects: store.settings(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Watch").await;
    store.set_down(true);
    upload(&mira, guild_id, &picture(1)).await.result();
    let hash = shown(&site, "Watch").await.unwrap();
    let before = get(&site, &hash, "large").await;
    assert_eq!(before.0, 200);

    store.set_down(false);
    let in_postgres = "select count(*) from logo_pictures where bytes is not null";
    move_logos(&site).await;
    wait_until("the pictures are moved", async || site.count(in_postgres).await == 0).await;
    assert_eq!(store.media_types(), ["image/webp"; 3]);
    let after = get(&site, &hash, "large").await;
    assert_eq!((after.0, &after.1["content-type"], &after.2), (200, &before.1["content-type"], &before.2));
    assert_eq!(site.visitor().get("/guild/card/Watch.png").await.status, 200);
    // The same logo again: its pictures are there already.
    upload(&mira, guild_id, &picture(2)).await.result();
    upload(&mira, guild_id, &picture(1)).await.result();
    assert_eq!(get(&site, &hash, "small").await.0, 200);

    store.set_down(true);
    let path = format!("/guild/logo/{hash}/small");
    site.visitor().get(&path).await.problem(503, "object_store_unavailable");
    store.set_down(false);
    mira.post("/guild/remove-logo", json!({ "guild_id": guild_id })).await.result();
    move_logos(&site).await;
    wait_until("the pictures are moved", async || site.count(in_postgres).await == 0).await;
    site.execute(
        "update logos set uploaded_at = now() - interval '25 hours';
         update jobs set due_at = now() where job ->> 'name' = 'purge_logos'",
    )
    .await;
    wait_until("the objects are deleted", async || store.media_types().is_empty()).await;
    site.visitor().get(&path).await.problem(404, "logo_not_found");
    site.finish().await;
}

async fn move_logos(site: &Site) {
    site.execute("update jobs set due_at = now() where job ->> 'name' = 'move_logos'").await;
}
