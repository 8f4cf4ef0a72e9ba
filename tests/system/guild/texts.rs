//! The texts of a guild, and its deletion.

use serde_json::json;

use crate::support::{
    motd::{CHANGE_MOTD, motd_body},
    operation::wait_until_completed,
    service::dead_letters,
    site::Site,
    wait::wait_for,
};

#[tokio::test(flavor = "multi_thread")]
async fn a_leader_changes_the_texts_and_deletes_the_guild() {
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
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!((&view["motd"], &view["description"]), (&json!("At eight."), &json!("Line one\nline two")));

    tom.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(403, "not_leader");
    site.report_presence("Tom", 20, true).await;
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(409, "character_online");
    site.report_presence("Tom", 20, false).await;
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    mira.post("/guild/delete", json!({ "guild_id": guild_id })).await.problem(404, "guild_not_found");
    site.visitor().get("/guild/view/Night%20Watch").await.problem(404, "guild_not_found");
    mira.post("/guild/create-guild", json!({ "name": "Night Watch", "character_name": "Mira" }))
        .await
        .result();
    site.finish().await;
}

/// One statement applies the changes of several guilds.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_one_batch_have_outcomes_of_their_own() {
    let mut site = Site::start().await;
    let (mira, night_watch) = site.guild("Mira", "Night Watch").await;
    let (tom, red_rose) = site.guild("Tom", "Red Rose").await;
    let (ann, iron_wolves) = site.guild("Ann", "Iron Wolves").await;
    site.execute("alter table guilds add constraint guilds_no_poison check (motd <> 'poison')").await;
    site.stop_workers().await;
    let changes = [
        (&mira, night_watch, "first"),
        (&tom, night_watch, "of a stranger"),
        (&tom, red_rose, "at eight"),
        (&mira, 999, "of no guild"),
        (&ann, iron_wolves, "poison"),
        (&mira, night_watch, "last"),
    ];
    let mut accepted = vec![];
    for (leader, guild_id, text) in changes {
        let body = motd_body(guild_id, text);
        accepted.push(leader.post_with_preference(CHANGE_MOTD, &body, "respond-async").await);
    }
    site.start_workers();
    let letter = wait_for("the change that fails is dead-lettered", async || {
        dead_letters::list(&site.database).await.unwrap().pop()
    })
    .await;
    site.execute("alter table guilds drop constraint guilds_no_poison").await;
    dead_letters::replay(&site.workers, letter.dead_letter_id).await.unwrap();
    let refusals = [None, Some("not_leading"), None, Some("guild_not_found"), None, None];
    for (((leader, _, text), accepted), refusal) in changes.iter().zip(accepted).zip(refusals) {
        let state = wait_until_completed(leader, &accepted.body["operation_id"]).await;
        match refusal {
            None => assert_eq!(state["result"]["motd"], *text, "{state}"),
            Some(code) => assert_eq!(state["problem"]["code"], code, "{state}"),
        }
    }
    for (guild, motd) in [("Night%20Watch", "last"), ("Red%20Rose", "at eight"), ("Iron%20Wolves", "poison")]
    {
        let view = site.visitor().get(&format!("/guild/view/{guild}")).await.ok();
        assert_eq!(view["motd"], motd, "{guild}");
    }
    site.finish().await;
}
