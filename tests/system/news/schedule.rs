//! Posts with a time of publication.

use chrono::{TimeDelta, Utc};

use super::samples::{create, post, with_field};
use crate::support::{client::Client, community::StaffRole, site::Site, wait::wait_until};

async fn total(visitor: &Client) -> i64 {
    visitor.get("/news/list/1/10").await.ok()["total"].as_i64().unwrap()
}

/// The reads before the time fill the cache. A machine that is too slow for them gets another post with more time.
#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_post_appears_at_its_time() {
    let site = Site::start().await;
    let (editor, visitor) = (site.player_with_role("editor", StaffRole::Editor).await, site.visitor());
    for milliseconds in [1500, 15_000, 150_000] {
        let time = Utc::now() + TimeDelta::milliseconds(milliseconds);
        let id = create(&editor, with_field(post("Soon"), "published_at", time.to_rfc3339())).await;
        let path = format!("/news/find/{id}");
        let (listed, found) = (total(&visitor).await, visitor.get(&path).await);
        if Utc::now() >= time {
            editor.delete(&format!("/news/destroy/{id}")).await.result();
            continue;
        }
        assert_eq!(listed, 0);
        found.problem(404, "post_not_found");
        wait_until("the post is listed", async || total(&visitor).await == 1).await;
        assert!(Utc::now() >= time);
        visitor.get(&path).await.ok();
        return site.finish().await;
    }
    panic!("no read was faster than 150 seconds");
}
