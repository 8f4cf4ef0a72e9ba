//! The share card and the link preview of a guild.

use guildhall_testkit::http::HttpResponse;
use http::{HeaderMap, Method};
use image::RgbImage;
use serde_json::json;

use crate::support::{community::PIXEL, site::Site};

/// The card of the guild, with the headers of the response.
async fn card(site: &Site, guild: &str) -> (HeaderMap, RgbImage) {
    let request = site.visitor().request(Method::GET, &format!("/guild/card/{guild}.png"));
    let mut response = request.send().await.unwrap();
    // A slow machine may need longer than the time limit.
    while response.status == 503 {
        response = request.send().await.unwrap();
    }
    assert_eq!(response.status, 200);
    let HttpResponse { headers, body, .. } = response;
    let picture = image::load_from_memory(&body).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), (1200, 630));
    (headers, picture)
}

#[tokio::test(flavor = "multi_thread")]
async fn card_of_a_guild_changes_with_the_guild() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let (headers, arms) = card(&site, "Night%20Watch").await;
    assert_eq!(headers["content-type"], "image/png");
    assert_eq!(headers["cache-control"], "public, no-cache");
    let (again, same) = card(&site, "night%20watch").await;
    assert!(again["etag"] == headers["etag"] && same == arms);
    let known = site.visitor().request(Method::GET, "/guild/card/Night%20Watch.png");
    let known = known.header("If-None-Match", &headers["etag"]).send().await.unwrap();
    assert_eq!(known.status, 304);

    let motd = json!({ "guild_id": guild_id, "motd": "<b>Hail 🐉</b> & meet at eight." });
    mira.post("/guild/change-motd", motd).await.result();
    let (headers, with_motd) = card(&site, "Night%20Watch").await;
    assert!(again["etag"] != headers["etag"] && with_motd != arms);
    let logo = json!({ "guild_id": guild_id, "image": PIXEL });
    mira.post("/guild/change-logo", logo).await.result();
    let (_, with_logo) = card(&site, "Night%20Watch").await;
    assert_eq!(with_logo.get_pixel(254, 315).0, [184, 134, 43]);
    mira.post("/guild/remove-logo", json!({ "guild_id": guild_id })).await.result();
    assert_eq!(card(&site, "Night%20Watch").await.1, with_motd);

    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    site.visitor().get("/guild/card/Night%20Watch.png").await.problem(404, "guild_not_found");
    assert_eq!(site.visitor().get("/guild/card/Night%20Watch.svg").await.status, 400);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn link_preview_of_a_guild_shows_its_name_text_and_card() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let preview = async || site.visitor().get("/guild/share/night%20watch").await;
    let page = preview().await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), "public, no-cache");
    let page = page.body.as_str().unwrap().to_owned();
    for tag in [
        r#"<meta property="og:title" content="Night Watch">"#,
        r#"<meta property="og:description" content="1 member">"#,
        r#"<meta property="og:url" content="https://www.site.example/guilds/Night%20Watch">"#,
        r#"<meta property="og:image" content="https://www.site.example/api/guild/card/Night%20Watch.png">"#,
    ] {
        assert!(page.contains(tag), "{tag} is not in {page}");
    }

    let motd = json!({ "guild_id": guild_id, "motd": "\"><script>alert(1)</script> & more" });
    mira.post("/guild/change-motd", motd).await.result();
    let page = preview().await.body.as_str().unwrap().to_owned();
    let escaped = "1 member · &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; more";
    assert!(page.contains(escaped) && !page.contains("<script"), "{page}");

    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    preview().await.problem(404, "guild_not_found");
    site.finish().await;
}
