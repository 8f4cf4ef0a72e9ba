use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Caller, Site, send};

/// The members of a guild as `name rank`, in the order of the view.
async fn members(site: &Site, guild: &str) -> Vec<String> {
    let view = site.nobody().get(&format!("/guild/view/{guild}")).await.ok();
    let members = view["members"].as_array().unwrap().iter();
    members
        .map(|member| format!("{} {}", member["name"].as_str().unwrap(), member["rank"].as_str().unwrap()))
        .collect()
}

fn named(guild_id: i64, name: &str) -> Value {
    json!({ "guild_id": guild_id, "character_name": name })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guild_is_founded_once() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let id = site.character(&mira, "Mira Stormborn").await;
    let found = |name: &str| {
        mira.post("/guild/create-guild", json!({ "name": name, "character_name": "MIRA stormborn" }))
    };

    let created = found("Night Watch").await;
    assert_eq!(created.status, 201);
    assert_eq!(created.result()["leader_id"], id);
    let view = site.nobody().get("/guild/view/night%20WATCH").await.ok();
    assert_eq!((&view["name"], &view["members"][0]["rank"]), (&json!("Night Watch"), &json!("leader")));
    assert!(view.get("own_characters").is_none());

    found("Day Watch").await.problem(409, "already_in_guild");
    site.character(&mira, "Other One").await;
    let again = mira
        .post("/guild/create-guild", json!({ "name": "night watch", "character_name": "Other One" }))
        .await;
    again.problem(409, "guild_name_taken");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn founding_needs_a_fit_character_of_ones_own() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    site.character(&mira, "Mira").await;
    let found = |caller: &Caller, name: &str| {
        let body = json!({ "name": "Night Watch", "character_name": name });
        let request = caller.request(Method::POST, "/guild/create-guild").json(&body);
        async { send(request).await }
    };
    found(&site.nobody(), "Mira").await.problem(401, "unauthorized");
    found(site.game(), "Mira").await.problem(403, "role_missing");
    found(&tom, "Mira").await.problem(403, "not_your_character");
    found(&tom, "Nobody Known").await.problem(404, "character_not_found");
    site.presence("Mira", 7, false).await;
    found(&mira, "Mira").await.problem(409, "level_too_low");
    site.presence("Mira", 8, true).await;
    found(&mira, "Mira").await.problem(409, "character_online");
    site.presence("Mira", 8, false).await;
    found(&mira, "Mira").await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_pointed_at() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let create = |body| mira.post("/guild/create-guild", body);
    create(json!({ "name": "ab", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "two  spaces", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "Nïght Watch", "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "a".repeat(31), "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": 7, "character_id": 1 })).await.invalid("/name");
    create(json!({ "character_id": 1 })).await.invalid("/name");
    create(json!({ "name": "Night Watch", "character_id": 0 })).await.invalid("/character_id");
    create(json!({ "name": "Night Watch", "character_id": 1, "character_name": "Mira" }))
        .await
        .invalid("/character_name");
    create(json!({ "name": "Night Watch" })).await.invalid("/character_id");
    create(json!({ "name": "Night Watch", "character_id": 1, "rank": 3 })).await.invalid("/rank");
    create(json!([])).await.invalid("");
    mira.post("/guild/change-rank", json!({ "guild_id": 1, "character_id": 1, "rank": "leader" }))
        .await
        .invalid("/rank");
    mira.post("/guild/change-motd", json!({ "guild_id": 1, "motd": "a\nb" })).await.invalid("/motd");
    mira.post("/guild/change-motd", json!({ "guild_id": 1, "motd": "x".repeat(256) })).await.invalid("/motd");
    let long = json!({ "guild_id": 1, "description": "x".repeat(2001) });
    mira.post("/guild/change-description", long).await.invalid("/description");
    mira.post("/guild/delete", json!({ "guild_id": "1" })).await.invalid("/guild_id");
    site.nobody().get("/guild/view/no%00name").await.invalid("name");
    site.nobody().get("/guild/view/Nobody").await.problem(404, "guild_not_found");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_is_accepted() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let tom_id = site.character(&tom, "Tom").await;

    let invited = mira.post("/guild/invite", json!({ "guild_id": guild_id, "character_id": tom_id })).await;
    assert_eq!(invited.status, 201);
    assert_eq!(invited.result()["character_id"], tom_id);
    mira.post("/guild/invite", named(guild_id, "Tom")).await.problem(409, "already_invited");

    let to_tom = tom.post("/guild/invites", json!({})).await.ok();
    assert_eq!((&to_tom["total"], &to_tom["items"][0]["guild_name"]), (&json!(1), &json!("Night Watch")));
    let ann = site.player("ann").await;
    site.character(&ann, "Ann").await;
    for other in [&mira, &ann] {
        assert_eq!(other.post("/guild/invites", json!({})).await.ok()["total"], 0, "they see Tom's");
    }
    let of_guild = mira.post("/guild/invites", json!({ "guild_id": guild_id })).await.ok();
    assert_eq!(of_guild["items"][0]["character_name"], "Tom");
    assert_eq!(of_guild["items"][0]["invited_by"], "Mira");
    tom.post("/guild/invites", json!({ "guild_id": guild_id })).await.problem(403, "not_leading");
    tom.post("/guild/invites", json!({ "guild_id": 999 })).await.problem(404, "guild_not_found");
    site.nobody().post("/guild/invites", json!({})).await.problem(401, "unauthorized");
    let own = tom.get("/guild/view/Night%20Watch").await.ok()["own_characters"][0].clone();
    assert_eq!(own["may"], json!(["accept_invite", "decline_invite"]));

    mira.post("/guild/accept-invite", named(guild_id, "Tom")).await.problem(403, "not_your_character");
    tom.post("/guild/accept-invite", named(999, "Tom")).await.problem(404, "guild_not_found");
    site.presence("Tom", 20, true).await;
    tom.post("/guild/accept-invite", named(guild_id, "Tom")).await.problem(409, "character_online");
    site.presence("Tom", 20, false).await;
    assert_eq!(tom.post("/guild/accept-invite", named(guild_id, "Tom")).await.result()["rank"], "member");
    assert_eq!(members(&site, "Night%20Watch").await, ["Mira leader", "Tom member"]);
    assert_eq!(tom.post("/guild/invites", json!({})).await.ok()["total"], 0);
    tom.post("/guild/accept-invite", named(guild_id, "Tom")).await.problem(404, "invite_not_found");
    mira.post("/guild/invite", named(guild_id, "Tom")).await.problem(409, "already_in_guild");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invite_is_declined_cancelled_or_expires() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    let tom_named = || named(guild_id, "Tom");

    tom.post("/guild/decline-invite", tom_named()).await.problem(404, "invite_not_found");
    mira.post("/guild/invite", tom_named()).await.result();
    mira.post("/guild/decline-invite", tom_named()).await.problem(403, "not_your_character");
    tom.post("/guild/cancel-invite", tom_named()).await.problem(403, "not_leading");
    tom.post("/guild/decline-invite", tom_named()).await.result();
    mira.post("/guild/cancel-invite", tom_named()).await.problem(404, "invite_not_found");

    mira.post("/guild/invite", tom_named()).await.result();
    mira.post("/guild/cancel-invite", tom_named()).await.result();
    tom.post("/guild/accept-invite", tom_named()).await.problem(404, "invite_not_found");

    mira.post("/guild/invite", tom_named()).await.result();
    sqlx::raw_sql("update guild_invites set expires_at = now()").execute(&site.database).await.unwrap();
    tom.post("/guild/accept-invite", tom_named()).await.problem(404, "invite_not_found");
    tom.post("/guild/decline-invite", tom_named()).await.problem(404, "invite_not_found");
    assert_eq!(tom.post("/guild/invites", json!({})).await.ok()["total"], 0);
    mira.post("/guild/invite", tom_named()).await.result();
    tom.post("/guild/accept-invite", tom_named()).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn members_leave_and_are_kicked_by_rank() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let vice = site.member(&mira, guild_id, "Vice").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let ann = site.member(&mira, guild_id, "Ann").await;
    let stranger = site.player("stranger").await;
    site.character(&stranger, "Stranger").await;
    let rank = json!({ "guild_id": guild_id, "character_name": "Vice", "rank": "vice_leader" });
    mira.post("/guild/change-rank", rank).await.result();

    let kick = |caller: &Caller, name: &str| {
        let request = caller.request(Method::POST, "/guild/kick").json(&named(guild_id, name));
        async { send(request).await }
    };
    kick(&tom, "Ann").await.problem(403, "not_leading");
    kick(&stranger, "Ann").await.problem(403, "not_leading");
    kick(&vice, "Mira").await.problem(403, "rank_too_low");
    kick(&vice, "Vice").await.problem(403, "rank_too_low");
    kick(&mira, "Mira").await.problem(403, "rank_too_low");
    kick(&mira, "Stranger").await.problem(404, "member_not_found");
    kick(&mira, "Nobody").await.problem(404, "character_not_found");
    site.presence("Ann", 20, true).await;
    kick(&vice, "Ann").await.problem(409, "character_online");
    site.presence("Ann", 20, false).await;
    kick(&vice, "Ann").await.result();
    ann.post("/guild/leave", named(guild_id, "Ann")).await.problem(404, "member_not_found");

    mira.post("/guild/leave", named(guild_id, "Mira")).await.problem(409, "leader_cannot_leave");
    mira.post("/guild/leave", named(guild_id, "Tom")).await.problem(403, "not_your_character");
    site.presence("Tom", 20, true).await;
    tom.post("/guild/leave", named(guild_id, "Tom")).await.problem(409, "character_online");
    site.presence("Tom", 20, false).await;
    tom.post("/guild/leave", named(guild_id, "Tom")).await.result();
    kick(&mira, "Vice").await.result();
    assert_eq!(members(&site, "Night%20Watch").await, ["Mira leader"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leadership_and_ranks_are_the_leaders_to_give() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let (_, elsewhere) = site.guild("Eve", "Day Watch").await;
    let rank = |name: &str, rank: &str| json!({ "guild_id": guild_id, "character_name": name, "rank": rank });

    tom.post("/guild/change-rank", rank("Tom", "vice_leader")).await.problem(403, "not_leader");
    mira.post("/guild/change-rank", rank("Eve", "member")).await.problem(404, "member_not_found");
    mira.post("/guild/change-rank", rank("Mira", "member")).await.problem(409, "leader_keeps_rank");
    site.presence("Tom", 20, true).await;
    mira.post("/guild/change-rank", rank("Tom", "vice_leader")).await.problem(409, "character_online");
    mira.post("/guild/pass-leadership", named(guild_id, "Tom")).await.problem(409, "character_online");
    site.presence("Tom", 20, false).await;
    assert_eq!(
        mira.post("/guild/change-rank", rank("Tom", "vice_leader")).await.result()["rank"],
        "vice_leader"
    );
    tom.post("/guild/change-rank", rank("Tom", "member")).await.problem(403, "not_leader");
    assert_eq!(mira.post("/guild/change-rank", rank("Tom", "member")).await.result()["rank"], "member");

    tom.post("/guild/pass-leadership", named(guild_id, "Tom")).await.problem(403, "not_leader");
    mira.post("/guild/pass-leadership", named(guild_id, "Mira")).await.problem(409, "already_leader");
    mira.post("/guild/pass-leadership", named(guild_id, "Eve")).await.problem(404, "member_not_found");
    mira.post("/guild/pass-leadership", named(elsewhere, "Tom")).await.problem(403, "not_leader");
    mira.post("/guild/pass-leadership", named(guild_id, "Tom")).await.result();
    assert_eq!(members(&site, "Night%20Watch").await, ["Tom leader", "Mira vice_leader"]);
    mira.post("/guild/leave", named(guild_id, "Mira")).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_and_the_end_of_a_guild() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let motd = json!({ "guild_id": guild_id, "motd": "At eight." });
    let description = json!({ "guild_id": guild_id, "description": "Line one\nline two" });

    tom.post("/guild/change-motd", motd.clone()).await.problem(403, "not_leading");
    tom.post("/guild/change-description", description.clone()).await.problem(403, "not_leading");
    mira.post("/guild/change-motd", json!({ "guild_id": 999, "motd": "" }))
        .await
        .problem(404, "guild_not_found");
    assert_eq!(mira.post("/guild/change-motd", motd).await.result()["motd"], "At eight.");
    mira.post("/guild/change-description", description).await.result();
    let view = site.nobody().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!((&view["motd"], &view["description"]), (&json!("At eight."), &json!("Line one\nline two")));

    tom.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(403, "not_leader");
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    site.nobody().get("/guild/view/Night%20Watch").await.problem(404, "guild_not_found");
    mira.post("/guild/create-guild", json!({ "name": "Night Watch", "character_name": "Mira" }))
        .await
        .result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guild_can_be_full() {
    let site = Site::with(crate::support::Options { guild_member_cap: 2, ..Default::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.member(&mira, guild_id, "Tom").await;
    let ann = site.player("ann").await;
    site.character(&ann, "Ann").await;
    mira.post("/guild/invite", named(guild_id, "Ann")).await.result();
    ann.post("/guild/accept-invite", named(guild_id, "Ann")).await.problem(409, "guild_full");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_paged_in_a_stable_order() {
    let site = Site::start().await;
    for (leader, guild) in [("Cara", "Charlie"), ("Abel", "alpha"), ("Bert", "Bravo")] {
        site.guild(leader, guild).await;
    }
    let names = |list: &Value| -> Vec<String> {
        list["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["name"].as_str().unwrap().to_owned())
            .collect()
    };
    let first = site.nobody().get("/guilds/1/2").await;
    assert_eq!(
        first.header("link"),
        r#"</guilds/1/2>; rel="first", </guilds/2/2>; rel="next", </guilds/2/2>; rel="last""#
    );
    let first = first.ok();
    assert_eq!(names(&first), ["alpha", "Bravo"]);
    assert_eq!(
        (&first["page"], &first["limit"], &first["total"], &first["pages"]),
        (&json!(1), &json!(2), &json!(3), &json!(2))
    );
    // Distinct values in every place: page 2 of 2 is not page 2 of 1.
    assert_eq!(names(&site.nobody().get("/guilds/2/2").await.ok()), ["Charlie"]);
    assert_eq!(names(&site.nobody().get("/guilds/2/1").await.ok()), ["Bravo"]);
    assert_eq!(names(&site.nobody().get("/guilds/9/2").await.ok()), [""; 0]);
    for (path, wrong) in [
        ("/guilds/0/2", "page"),
        ("/guilds/1/0", "limit"),
        ("/guilds/1/101", "limit"),
        ("/guilds/x/2", "page"),
    ] {
        site.nobody().get(path).await.invalid(wrong);
    }
    let free = site.player("free").await;
    for name in ["Zed", "Zara Two", "Zara One", "Yan"] {
        site.character(&free, name).await;
    }
    let all = site.nobody().get("/guild/players-without-guild").await.ok();
    assert_eq!(names(&all), ["Yan", "Zara One", "Zara Two", "Zed"]);
    let found = site.nobody().get("/guild/players-without-guild?search=zARA&page=2&limit=1").await;
    assert!(
        found
            .header("link")
            .contains("</guild/players-without-guild?page=1&limit=1&search=zara>; rel=\"prev\"")
    );
    assert_eq!(names(&found.ok()), ["Zara Two"]);
    site.nobody().get("/guild/players-without-guild?limit=101").await.invalid("limit");
    site.nobody().get("/guild/players-without-guild?search=%25").await.invalid("search");
    site.finish().await;
}
