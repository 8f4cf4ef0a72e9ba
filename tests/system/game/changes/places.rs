//! Places that the site knows and does not know, and what it erases.

use guildhall_testkit::game_replica::GameReplica;
use serde_json::json;

use super::{Follower, snapshot, text, wait_until_numbered};
use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    support::{
        community::{StaffRole, character_in_guild},
        site::Site,
        wait::wait_until,
    },
};

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_the_site_does_not_have_is_refused() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let tom = site.player("tom").await;
    let mut follower = Follower::start(&site).await;
    let change = async |motd: &str| {
        mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": motd })).await.result();
    };
    change("one").await;
    follower.read(1).await;
    let read_after =
        async |place: &str| site.game_server().get(&format!("/game/changes?after={place}")).await;
    read_after("0192f0c1-2a3b-4c4d-8e5f-60718293a4b5").await.problem(404, "change_not_found");
    site.game_server().get("/game/changes?after=1").await.invalid("after");
    tom.get("/game/changes").await.problem(403, "role_missing");
    site.visitor().get("/game/snapshot").await.problem(401, "unauthorized");

    // The site is restored from a backup without the last change, and has another one with the same number.
    let lost = follower.last.clone();
    site.execute("delete from game_changes where number = (select max(number) from game_changes)").await;
    change("two").await;
    wait_until_numbered(&site).await;
    read_after(&lost).await.problem(404, "change_not_found");

    // The purge leaves the newest change, so its place is known however old it is.
    let newest = text(&site.game_server().get("/game/changes").await.ok()["last"]);
    site.execute("update game_changes set changed_at = now() - interval '15 days'").await;
    site.execute("update jobs set due_at = now() where job ->> 'name' = 'purge_game_changes'").await;
    wait_until("the changes are purged", async || site.count("select count(*) from game_changes").await == 1)
        .await;
    read_after(&newest).await.ok();
    change("three").await;
    let changes = site.game_server().get(&format!("/game/changes?after={newest}&wait=20")).await.ok();
    assert_eq!(changes["items"][0]["state"]["guild"]["motd"], "three");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_changes_of_a_deleted_account_have_no_names() {
    let site = Site::start().await;
    let follower_place = text(&site.game_server().get("/game/changes").await.ok()["last"]);
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let mut nick = character_in_guild(guild_id, "Mira");
    nick["nick"] = json!("Mimi");
    mira.post("/guild/set-nick", nick).await.result();
    site.execute("update accounts set email_verified_at = now()").await;
    ask_for_deletion(&mira).await.result();
    delete_now(&site, mira.account_id).await;
    wait_until_numbered(&site).await;
    let named = "select count(*) from game_changes where state::text ~* 'mira|mimi'";
    assert_eq!(site.count(named).await, 0);
    // A game that knows nothing yet reads the rest.
    let changes = site.game_server().get(&format!("/game/changes?after={follower_place}")).await.ok();
    let mut replica = GameReplica::default();
    changes["items"].as_array().unwrap().iter().for_each(|change| replica.apply(&change["state"]));
    assert_eq!(replica.differences(&snapshot(&site).await), Vec::<String>::new());
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_staff_sees_how_far_a_game_server_has_read() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let server = async || boss.get("/admin/game-servers").await.ok()["items"][0].clone();
    assert_eq!(server().await.get("unread_changes"), None);
    let follower = Follower::start(&site).await;
    let read = async || site.game_server().get(&format!("/game/changes?after={}", follower.last)).await.ok();
    read().await;
    wait_until("its place is recorded", async || server().await["unread_changes"] == 0).await;
    for motd in ["one", "two"] {
        mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": motd })).await.result();
    }
    wait_until("two changes are unread", async || server().await["unread_changes"] == 2).await;
    let behind = server().await;
    let oldest = read().await["items"][0]["changed_at"].clone();
    assert_eq!(behind["oldest_unread_at"], oldest);
    // A place that the site does not have any more.
    site.execute("update game_servers set applied_change = gen_random_uuid()").await;
    let lost = server().await;
    assert_eq!((&lost["place_lost"], lost.get("unread_changes")), (&json!(true), None));
    site.finish().await;
}
