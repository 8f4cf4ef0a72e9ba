//! Invites: accepted, declined, cancelled, expired.

use serde_json::json;

use crate::support::{community::character_in_guild, options::Options, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn an_accepted_invite_makes_a_member() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let tom_id = site.character(&tom, "Tom").await;

    let invited = mira.post("/guild/invite", json!({ "guild_id": guild_id, "character_id": tom_id })).await;
    assert_eq!(invited.status, 201);
    assert_eq!(invited.result()["character_id"], tom_id);
    mira.post("/guild/invite", character_in_guild(guild_id, "Tom")).await.problem(409, "already_invited");

    let to_tom = tom.post("/guild/invites", json!({})).await.ok();
    assert_eq!((&to_tom["total"], &to_tom["items"][0]["guild_name"]), (&json!(1), &json!("Night Watch")));
    let ann = site.player("ann").await;
    site.character(&ann, "Ann").await;
    for other in [&mira, &ann] {
        assert_eq!(
            other.post("/guild/invites", json!({})).await.ok()["total"],
            0,
            "another player sees the invite of Tom"
        );
    }
    let of_guild = mira.post("/guild/invites", json!({ "guild_id": guild_id })).await.ok();
    assert_eq!(of_guild["items"][0]["character_name"], "Tom");
    assert_eq!(of_guild["items"][0]["invited_by"], "Mira");
    tom.post("/guild/invites", json!({ "guild_id": guild_id })).await.problem(403, "not_leading");
    tom.post("/guild/invites", json!({ "guild_id": 999 })).await.problem(404, "guild_not_found");
    site.visitor().post("/guild/invites", json!({})).await.problem(401, "unauthorized");
    let own = tom.get("/guild/view/Night%20Watch").await.ok()["own_characters"][0].clone();
    assert_eq!(own["may"], json!(["accept_invite", "decline_invite"]));

    mira.post("/guild/accept-invite", character_in_guild(guild_id, "Tom"))
        .await
        .problem(403, "not_your_character");
    tom.post("/guild/accept-invite", character_in_guild(999, "Tom")).await.problem(404, "guild_not_found");
    site.report_presence("Tom", 20, true).await;
    tom.post("/guild/accept-invite", character_in_guild(guild_id, "Tom"))
        .await
        .problem(409, "character_online");
    site.report_presence("Tom", 20, false).await;
    assert_eq!(
        tom.post("/guild/accept-invite", character_in_guild(guild_id, "Tom")).await.result()["rank"],
        "member"
    );
    assert_eq!(site.guild_members("Night%20Watch").await, ["Mira leader", "Tom member"]);
    assert_eq!(tom.post("/guild/invites", json!({})).await.ok()["total"], 0);
    tom.post("/guild/accept-invite", character_in_guild(guild_id, "Tom"))
        .await
        .problem(404, "invite_not_found");
    mira.post("/guild/invite", character_in_guild(guild_id, "Tom")).await.problem(409, "already_in_guild");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_declined_cancelled_or_expired_invite_cannot_be_accepted() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    let tom_named = || character_in_guild(guild_id, "Tom");

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
    site.execute("update guild_invites set expires_at = now()").await;
    tom.post("/guild/accept-invite", tom_named()).await.problem(404, "invite_not_found");
    tom.post("/guild/decline-invite", tom_named()).await.problem(404, "invite_not_found");
    assert_eq!(tom.post("/guild/invites", json!({})).await.ok()["total"], 0);
    mira.post("/guild/invite", tom_named()).await.result();
    tom.post("/guild/accept-invite", tom_named()).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_guild_admits_no_member() {
    let site = Site::start_with(Options { guild_member_cap: 2, ..Options::default() }).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    site.member(&mira, guild_id, "Tom").await;
    let ann = site.player("ann").await;
    site.character(&ann, "Ann").await;
    mira.post("/guild/invite", character_in_guild(guild_id, "Ann")).await.result();
    ann.post("/guild/accept-invite", character_in_guild(guild_id, "Ann")).await.problem(409, "guild_full");
    site.finish().await;
}

/// Another guild may invite the character at the moment in which it joins.
#[tokio::test(flavor = "multi_thread")]
async fn a_member_accepts_no_invite_of_another_guild() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let (tom, _) = site.guild("Tom", "Red Rose").await;
    mira.post("/guild/invite", character_in_guild(guild_id, "Tom")).await.problem(409, "already_in_guild");
    let invite = format!(
        "insert into guild_invites (guild_id, character_id, invited_by, expires_at)
         select {guild_id}, character_id, leader_id, now() + interval '1 day' from characters, guilds
         where characters.name = 'Tom' and guild_id = {guild_id}"
    );
    site.execute(&invite).await;
    let accepted = tom.post("/guild/accept-invite", character_in_guild(guild_id, "Tom")).await;
    accepted.problem(409, "already_in_guild");
    site.finish().await;
}
