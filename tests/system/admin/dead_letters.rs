//! Dead letters that an administrator replays and discards.

use serde_json::{Value, json};

use crate::support::{
    client::Client,
    community::StaffRole,
    motd::{CHANGE_MOTD, motd_body},
    operation::wait_until_completed,
    site::Site,
    wait::wait_for,
};

const REPLAY: &str = "/admin/dead-letters/replay";
const DISCARD: &str = "/admin/dead-letters/discard";

/// A command that a constraint refuses, and a message that is no command. Returns both letters and the operation of the command.
async fn two_letters(site: &Site, admin: &Client, mira: &Client, guild_id: i64) -> (Value, Value, Value) {
    site.execute("alter table guilds add constraint guilds_no_poison check (motd <> 'poison')").await;
    let body = motd_body(guild_id, "poison");
    let accepted = mira.post_with_preference(CHANGE_MOTD, &body, "respond-async").await;
    site.publish_guild_command(b"{ nonsense".to_vec()).await;
    let list = wait_for("two messages are dead letters", async || {
        let list = admin.get("/admin/dead-letters").await.ok();
        (list["total"] == 2).then_some(list)
    })
    .await;
    let items = list["items"].as_array().unwrap();
    assert!(items[0]["dead_letter_id"].as_i64() > items[1]["dead_letter_id"].as_i64());
    let of_command = items.iter().find(|letter| letter["command"] == "guild.change_motd").unwrap();
    let no_command = items.iter().find(|letter| letter.get("command").is_none()).unwrap();
    (of_command.clone(), no_command.clone(), accepted.body["operation_id"].clone())
}

fn selected(letter: &Value) -> Value {
    json!({ "dead_letter_id": letter["dead_letter_id"] })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_replays_a_dead_letter() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("mira", "Night Watch").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let (letter, _, operation) = two_letters(&site, &admin, &mira, guild_id).await;
    assert!(letter["reason"].as_str().unwrap().contains("guilds_no_poison"), "{letter}");
    assert!(!letter["message"].as_str().unwrap().contains("\"poison\""), "{letter}");
    assert_eq!(letter["replayable"], true);

    site.execute("update dead_letters set died_at = died_at - interval '31 days'").await;
    admin.post(REPLAY, selected(&letter)).await.problem(409, "dead_letter_too_old");
    site.execute("update dead_letters set died_at = died_at + interval '31 days'").await;
    site.execute("update dead_letters set queue = queue || '.missing'").await;
    admin.post(REPLAY, selected(&letter)).await.problem(409, "queue_rejected");
    site.execute("update dead_letters set queue = replace(queue, '.missing', '')").await;
    assert_eq!(admin.get("/admin/dead-letters").await.ok()["total"], 2);

    site.execute("alter table guilds drop constraint guilds_no_poison").await;
    let replayed = admin.post_with_key(REPLAY, &selected(&letter), "once").await;
    let again = admin.post_with_key(REPLAY, &selected(&letter), "once").await;
    assert_eq!(again.body["operation_id"], replayed.body["operation_id"]);
    assert_eq!(again.result(), replayed.result());
    assert_eq!(wait_until_completed(&mira, &operation).await["result"]["motd"], "poison");
    admin.post(REPLAY, selected(&letter)).await.problem(404, "dead_letter_not_found");

    let entry = admin.get("/admin/audit?action=dead_letter.replay").await.ok()["items"][0].clone();
    assert_eq!(entry["account_id"], admin.account_id);
    assert_eq!(entry["details"]["dead_letter_id"], letter["dead_letter_id"]);
    let changes = entry["changes"].as_array().unwrap();
    for field in ["queue", "command"] {
        assert!(changes.contains(&json!({ "field": field, "before": letter[field] })), "{entry}");
    }
    admin.post(DISCARD, selected(&admin.get("/admin/dead-letters").await.ok()["items"][0])).await.result();
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_discards_a_dead_letter() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("mira", "Night Watch").await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let (of_command, no_command, operation) = two_letters(&site, &admin, &mira, guild_id).await;
    assert_eq!(no_command["message"], "10 bytes that are no JSON");
    admin.post(DISCARD, selected(&no_command)).await.result();
    admin.post(DISCARD, selected(&no_command)).await.problem(404, "dead_letter_not_found");
    let entry = admin.get("/admin/audit?action=dead_letter.discard").await.ok()["items"][0].clone();
    assert_eq!(entry["account_id"], admin.account_id);
    assert!(entry["changes"].to_string().contains(no_command["queue"].as_str().unwrap()), "{entry}");

    // A job has deleted the message, because it is too old.
    site.execute("delete from dead_letter_bodies").await;
    assert_eq!(admin.get("/admin/dead-letters").await.ok()["items"][0]["replayable"], false);
    admin.post(REPLAY, selected(&of_command)).await.problem(409, "dead_letter_too_old");
    admin.post(DISCARD, selected(&of_command)).await.result();
    assert_eq!(admin.get("/admin/dead-letters").await.ok()["total"], 0);
    let path = format!("/operations/{}", operation.as_str().unwrap());
    assert_eq!(mira.get(&path).await.ok()["status"], "pending");
    site.finish().await;
}
