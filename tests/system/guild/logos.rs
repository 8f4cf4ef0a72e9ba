//! The logo of a guild: upload, pictures, moderation and purge.

use std::io::Cursor;

use base64::{Engine, engine::general_purpose::STANDARD};
use http::{HeaderMap, HeaderName, Method};
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::{Value, json};

use crate::support::{
    client::{Client, Response},
    community::StaffRole,
    site::Site,
    wait::wait_until,
};

/// A picture of one colour, as a PNG.
pub(super) fn picture(red: u8) -> Vec<u8> {
    let mut png = Cursor::new(vec![]);
    RgbImage::from_pixel(40, 40, Rgb([red, 0, 0])).write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner()
}

fn logo(guild_id: i64, file: &[u8]) -> Value {
    json!({ "guild_id": guild_id, "image": STANDARD.encode(file) })
}

pub(super) async fn upload(by: &Client, guild_id: i64, file: &[u8]) -> Response {
    by.post("/guild/change-logo", logo(guild_id, file)).await
}

/// The logo in the view and in the list of guilds.
pub(super) async fn shown(site: &Site, guild: &str) -> Option<String> {
    let view = site.visitor().get(&format!("/guild/view/{guild}")).await.ok();
    let list = site.visitor().get("/guilds/1/10").await.ok();
    let item = list["items"].as_array().unwrap().iter().find(|item| item["name"] == view["name"]).unwrap();
    assert_eq!(item.get("logo"), view.get("logo"));
    view.get("logo").map(|logo| logo.as_str().unwrap().to_owned())
}

/// A picture with its status and headers.
pub(super) async fn get(site: &Site, logo: &str, size: &str) -> (u16, HeaderMap, Vec<u8>) {
    let request = site.visitor().request(Method::GET, &format!("/guild/logo/{logo}/{size}"));
    let response = request.send().await.unwrap();
    (response.status, response.headers, response.body.to_vec())
}

#[tokio::test(flavor = "multi_thread")]
async fn leaders_change_the_logo_and_everybody_sees_it() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    assert_eq!(shown(&site, "Watch").await, None);
    upload(&tom, guild_id, &picture(1)).await.problem(403, "not_leading");
    upload(&mira, 999, &picture(1)).await.problem(404, "guild_not_found");
    site.visitor().post("/guild/change-logo", logo(guild_id, &picture(1))).await.problem(401, "unauthorized");

    let first = upload(&mira, guild_id, &picture(1)).await.result();
    let first = first["logo"].as_str().unwrap();
    assert_eq!(shown(&site, "Watch").await.as_deref(), Some(first));
    let vice = json!({ "guild_id": guild_id, "character_name": "Tom", "rank": "vice_leader" });
    mira.post("/guild/change-rank", vice).await.result();
    let second = upload(&tom, guild_id, &picture(2)).await.result();
    let second = second["logo"].as_str().unwrap();
    assert_ne!(first, second);
    assert_eq!(shown(&site, "Watch").await.as_deref(), Some(second));

    for (size, pixels) in [("small", 32), ("medium", 128), ("large", 512)] {
        let (status, headers, bytes) = get(&site, second, size).await;
        assert_eq!(status, 200);
        for (name, value) in [
            ("content-type", "image/webp"),
            ("cache-control", "public, max-age=31536000, immutable"),
            ("x-content-type-options", "nosniff"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ] {
            assert_eq!(headers[HeaderName::from_static(name)], value);
        }
        let decoded = image::load_from_memory(&bytes).unwrap().into_rgb8();
        assert_eq!((decoded.dimensions(), decoded[(0, 0)]), ((pixels, pixels), Rgb([2, 0, 0])));
    }
    let path = format!("/guild/logo/{second}/small");
    let tag = get(&site, second, "small").await.1["etag"].clone();
    let again = site.visitor().request(Method::GET, &path).header("If-None-Match", tag).send().await.unwrap();
    assert_eq!(again.status, 304);
    site.visitor().get(&format!("/guild/logo/{}/small", "0".repeat(64))).await.problem(404, "logo_not_found");
    assert_eq!(get(&site, second, "huge").await.0, 400);

    let guild = json!({ "guild_id": guild_id });
    tom.post("/guild/remove-logo", guild.clone()).await.result();
    assert_eq!(shown(&site, "Watch").await, None);
    tom.post("/guild/remove-logo", guild).await.problem(404, "logo_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_must_be_a_small_picture() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Watch").await;
    upload(&mira, guild_id, b"<svg/>").await.invalid("/image");
    upload(&mira, guild_id, &picture(1)[..40]).await.invalid("/image");
    mira.post("/guild/change-logo", json!({ "guild_id": guild_id, "image": "§" })).await.invalid("/image");
    let mut large = picture(1);
    large.resize(1024 * 1024, 0);
    upload(&mira, guild_id, &large).await.result();
    large.resize(1024 * 1024 + 2048, 0);
    upload(&mira, guild_id, &large).await.problem(413, "body_too_large");
    let is_limited = async || upload(&mira, guild_id, b"<svg/>").await.status == 429;
    wait_until("the account has uploaded too many pictures", is_limited).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_upload_has_one_effect() {
    let mut site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Watch").await;
    let body = logo(guild_id, &picture(1));
    let first = mira.post_with_key("/guild/change-logo", &body, "first").await.result();
    upload(&mira, guild_id, &picture(2)).await.result();
    // The key has the outcome of the first request, whose command is not applied again.
    assert_eq!(mira.post_with_key("/guild/change-logo", &body, "first").await.result(), first);
    assert_ne!(shown(&site, "Watch").await.as_deref(), first["logo"].as_str());
    mira.post_with_key("/guild/change-logo", &logo(guild_id, &picture(3)), "first")
        .await
        .problem(422, "idempotency_key_reused");
    // A command waits in the queue with its pictures until a worker applies it.
    site.stop_workers().await;
    let waiting =
        mira.post_with_preference("/guild/change-logo", &logo(guild_id, &picture(4)), "respond-async").await;
    assert_eq!(waiting.status, 202);
    site.start_workers();
    let path = waiting.header("location").to_owned();
    wait_until("the logo is changed", async || mira.get(&path).await.ok()["status"] == "applied").await;
    assert_eq!(shown(&site, "Watch").await.as_deref(), mira.get(&path).await.ok()["result"]["logo"].as_str());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_team_removes_and_blocks_a_logo_of_all_guilds() {
    let site = Site::start().await;
    let (mira, first) = site.guild("Mira", "Watch").await;
    let (tom, second) = site.guild("Tom", "Guard").await;
    let editor = site.player_with_role("editor", StaffRole::Editor).await;
    let admin = site.player_with_role("admin", StaffRole::Admin).await;
    let hash = upload(&mira, first, &picture(1)).await.result()["logo"].as_str().unwrap().to_owned();
    assert_eq!(upload(&tom, second, &picture(1)).await.result()["logo"], hash.as_str());
    assert_eq!(site.count("select count(*) from logo_pictures").await, 3);
    assert_eq!(shown(&site, "Guard").await.as_deref(), Some(&*hash));

    let remove = json!({ "guild_id": first, "reason": "An insult." });
    tom.post("/guild/moderate-logo", remove.clone()).await.problem(403, "role_missing");
    editor.post("/guild/moderate-logo", remove.clone()).await.result();
    assert_eq!((shown(&site, "Watch").await, shown(&site, "Guard").await), (None, Some(hash.clone())));
    editor.post("/guild/moderate-logo", remove).await.problem(404, "logo_not_found");

    let mut block = json!({ "guild_id": second, "reason": "An insult again.", "block": true });
    let other = upload(&mira, first, &picture(2)).await.result();
    block["logo"] = other["logo"].clone();
    admin.post("/guild/moderate-logo", block.clone()).await.problem(409, "logo_has_changed");
    upload(&mira, first, &picture(1)).await.result();
    block["logo"] = hash.as_str().into();
    admin.post("/guild/moderate-logo", block).await.result();
    assert_eq!((shown(&site, "Watch").await, shown(&site, "Guard").await), (None, None));
    assert_eq!(get(&site, &hash, "small").await.0, 404);
    upload(&mira, first, &picture(1)).await.problem(409, "logo_blocked");
    upload(&mira, first, &picture(2)).await.result();
    let audit = admin.get("/admin/audit").await.ok();
    let entries = audit["items"].as_array().unwrap();
    let reasons: Vec<_> = entries.iter().filter(|entry| entry["action"] == "guild.moderate_logo").collect();
    assert_eq!(reasons.len(), 2, "{audit}");
    assert!(reasons[0].to_string().contains("An insult again."), "{audit}");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logos_without_a_guild_and_blocked_pictures_are_purged() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Watch").await;
    let admin = site.player_with_role("admin", StaffRole::Admin).await;
    let block = json!({ "guild_id": guild_id, "reason": "An insult.", "block": true });
    upload(&mira, guild_id, &picture(1)).await.result();
    admin.post("/guild/moderate-logo", block).await.result();
    upload(&mira, guild_id, &picture(2)).await.result();
    upload(&mira, guild_id, &picture(3)).await.result();
    site.execute(
        "update logos set uploaded_at = now() - interval '61 minutes';
         update jobs set due_at = now() where job ->> 'name' = 'purge_logos'",
    )
    .await;
    let is_purged = async || site.count("select count(*) from logo_pictures").await == 3;
    wait_until("the logos are purged", is_purged).await;
    assert_eq!(site.count("select count(*) from logos where blocked_at is null").await, 1);
    assert_eq!(site.count("select count(*) from logos where blocked_at is not null").await, 1);
    let hash = shown(&site, "Watch").await.unwrap();
    assert_eq!(get(&site, &hash, "large").await.0, 200);
    upload(&mira, guild_id, &picture(1)).await.problem(409, "logo_blocked");
    site.finish().await;
}
