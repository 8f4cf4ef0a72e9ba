//! Members: leaving, being kicked, ranks and leadership.

use serde_json::{Value, json};

use crate::support::{client::Client, community::character_in_guild, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn members_leave_and_a_higher_rank_can_kick_them() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let vice = site.member(&mira, guild_id, "Vice").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let ann = site.member(&mira, guild_id, "Ann").await;
    let outsider = site.player("outsider").await;
    site.character(&outsider, "Outsider").await;
    let rank = json!({ "guild_id": guild_id, "character_name": "Vice", "rank": "vice_leader" });
    mira.post("/guild/change-rank", rank).await.result();

    let kick = async |client: &Client, name: &str| {
        client.post("/guild/kick", character_in_guild(guild_id, name)).await
    };
    kick(&tom, "Ann").await.problem(403, "not_leading");
    kick(&outsider, "Ann").await.problem(403, "not_leading");
    kick(&vice, "Mira").await.problem(403, "rank_too_low");
    kick(&vice, "Vice").await.problem(403, "rank_too_low");
    kick(&mira, "Mira").await.problem(403, "rank_too_low");
    kick(&mira, "Outsider").await.problem(404, "member_not_found");
    kick(&mira, "Nobody").await.problem(404, "character_not_found");
    site.report_presence("Ann", 20, true).await;
    kick(&vice, "Ann").await.problem(409, "character_online");
    site.report_presence("Ann", 20, false).await;
    kick(&vice, "Ann").await.result();
    ann.post("/guild/leave", character_in_guild(guild_id, "Ann")).await.problem(404, "member_not_found");

    mira.post("/guild/leave", character_in_guild(guild_id, "Mira")).await.problem(409, "leader_cannot_leave");
    mira.post("/guild/leave", character_in_guild(guild_id, "Tom")).await.problem(403, "not_your_character");
    site.report_presence("Tom", 20, true).await;
    tom.post("/guild/leave", character_in_guild(guild_id, "Tom")).await.problem(409, "character_online");
    site.report_presence("Tom", 20, false).await;
    tom.post("/guild/leave", character_in_guild(guild_id, "Tom")).await.result();
    kick(&mira, "Vice").await.result();
    assert_eq!(site.guild_members("Night%20Watch").await, ["Mira leader"]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_leader_changes_ranks_and_leadership() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let (_, elsewhere) = site.guild("Eve", "Day Watch").await;
    let rank = |name: &str, rank: &str| json!({ "guild_id": guild_id, "character_name": name, "rank": rank });

    tom.post("/guild/change-rank", rank("Tom", "vice_leader")).await.problem(403, "not_leader");
    mira.post("/guild/change-rank", rank("Eve", "member")).await.problem(404, "member_not_found");
    mira.post("/guild/change-rank", rank("Mira", "member")).await.problem(409, "leader_keeps_rank");
    site.report_presence("Tom", 20, true).await;
    mira.post("/guild/change-rank", rank("Tom", "vice_leader")).await.problem(409, "character_online");
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Tom"))
        .await
        .problem(409, "character_online");
    site.report_presence("Tom", 20, false).await;
    assert_eq!(
        mira.post("/guild/change-rank", rank("Tom", "vice_leader")).await.result()["rank"],
        "vice_leader"
    );
    tom.post("/guild/change-rank", rank("Tom", "member")).await.problem(403, "not_leader");
    assert_eq!(mira.post("/guild/change-rank", rank("Tom", "member")).await.result()["rank"], "member");

    tom.post("/guild/pass-leadership", character_in_guild(guild_id, "Tom")).await.problem(403, "not_leader");
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Mira"))
        .await
        .problem(409, "already_leader");
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Eve"))
        .await
        .problem(404, "member_not_found");
    mira.post("/guild/pass-leadership", character_in_guild(elsewhere, "Tom"))
        .await
        .problem(403, "not_leader");
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Tom")).await.result();
    assert_eq!(site.guild_members("Night%20Watch").await, ["Tom leader", "Mira vice_leader"]);
    mira.post("/guild/leave", character_in_guild(guild_id, "Mira")).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn members_have_nicks() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.member(&mira, guild_id, "Tom").await;
    let (eve, _) = site.guild("Eve", "Day Watch").await;
    let set_nick = async |by: &Client, name: &str, nick: &str| {
        let body = json!({ "guild_id": guild_id, "character_name": name, "nick": nick });
        by.post("/guild/set-nick", body).await
    };
    let nicks = async || {
        let guild = site.visitor().get("/guild/view/Night%20Watch").await.ok();
        let nick = |member: &Value| member.get("nick").map(|nick| nick.as_str().unwrap().to_owned());
        guild["members"].as_array().unwrap().iter().map(nick).collect::<Vec<_>>()
    };
    assert_eq!(nicks().await, [None, None]);

    let set = set_nick(&tom, "Tom", " The Wall ").await.result();
    assert_eq!(set["nick"], "The Wall");
    set_nick(&mira, "Mira", "Ärger im Norden").await.result();
    assert_eq!(nicks().await, [Some("Ärger im Norden".to_owned()), Some("The Wall".to_owned())]);
    // The owner is online: the site alone knows nicks.
    site.report_presence("Tom", 20, true).await;
    assert_eq!(set_nick(&mira, "Tom", "").await.result()["nick"], "");
    assert_eq!(nicks().await[1], None);

    set_nick(&tom, "Mira", "Boss").await.problem(403, "not_leading");
    set_nick(&eve, "Tom", "Thief").await.problem(403, "not_leading");
    set_nick(&eve, "Eve", "Thief").await.problem(404, "member_not_found");
    set_nick(&mira, "Eve", "Thief").await.problem(404, "member_not_found");
    set_nick(&mira, "Nobody", "Thief").await.problem(404, "character_not_found");
    set_nick(&mira, "Tom", "Sixteen letters!").await.problem(400, "invalid_request");
    let elsewhere = json!({ "guild_id": 999, "character_name": "Tom", "nick": "Lost" });
    tom.post("/guild/set-nick", elsewhere).await.problem(404, "guild_not_found");
    site.finish().await;
}
