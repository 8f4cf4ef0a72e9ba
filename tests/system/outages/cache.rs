//! Redis that is unavailable, or silent.

use guildhall_testkit::proxy::Proxy;
use serde_json::json;

use crate::support::{options::Options, site::Site, wait::wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn without_the_cache_no_read_is_stale_and_none_is_stale_afterwards() {
    let link = Proxy::to(&Options::default().redis_url).await.unwrap();
    let site = Site::start_with(Options { redis_url: link.url.clone(), ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let shown_motd = async || site.visitor().get("/guild/view/Night%20Watch").await.ok()["motd"].clone();
    for (round, fault) in [Proxy::refuse as fn(&Proxy), Proxy::freeze].into_iter().enumerate() {
        shown_motd().await;
        fault(&link);
        for change in 0..3 {
            let text = format!("{round} {change}");
            let motd = json!({ "guild_id": guild_id, "motd": text });
            mira.post("/guild/change-motd", motd).await.result();
            assert_eq!(shown_motd().await, text);
        }
        link.restore();
        for _ in 0..100 {
            assert_eq!(shown_motd().await, format!("{round} 2"));
        }
        let pending = "select count(*) from pending_invalidations";
        wait_until("no invalidation is pending", async || site.count(pending).await == 0).await;
        assert_eq!(shown_motd().await, format!("{round} 2"));
    }
    site.finish().await;
}
