//! The order of the changes. No change is skipped.

use futures_util::future::join_all;
use guildhall_common::platform::db;
use guildhall_testkit::game_replica::GameReplica;
use serde_json::json;

use super::{Follower, snapshot};
use crate::support::site::Site;

/// A transaction records its change before another one, and commits after it.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_a_slow_transaction_is_not_skipped() {
    let site = Site::start().await;
    let (mira, first) = site.guild("Mira", "Night Watch").await;
    let (tom, second) = site.guild("Tom", "Day Watch").await;
    let mut follower = Follower::start(&site).await;
    let mut slow = db::begin(&site.database).await.unwrap();
    sqlx::query("update guilds set motd = 'slow' where guild_id = $1")
        .bind(first)
        .execute(&mut *slow)
        .await
        .unwrap();
    tom.post("/guild/change-motd", json!({ "guild_id": second, "motd": "quick" })).await.result();
    assert_eq!(follower.read(1).await[0]["guild"]["motd"], "quick");
    slow.commit().await.unwrap();
    assert_eq!(follower.read(1).await[0]["guild"]["motd"], "slow");
    mira.post("/guild/change-motd", json!({ "guild_id": first, "motd": "later" })).await.result();
    assert_eq!(follower.read(1).await[0]["guild"]["motd"], "later");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_follows_the_changes_has_the_states_of_the_site() {
    const PLAYERS: usize = 6;
    const ROUNDS: usize = 8;
    let site = Site::start().await;
    let mut follower = Follower::start(&site).await;
    let mut replica = snapshot(&site).await;
    let mut players = vec![];
    for number in 0..PLAYERS {
        let letter = char::from(b'A' + u8::try_from(number).unwrap());
        let player = site.player(&format!("player_{letter}")).await;
        site.character(&player, &format!("Hero {letter}")).await;
        players.push((player, letter));
    }
    let play = players.iter().map(|(player, letter)| async move {
        for _ in 0..ROUNDS {
            let guild =
                json!({ "name": format!("Guild {letter}"), "character_name": format!("Hero {letter}") });
            let guild_id =
                player.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
            let motd = json!({ "guild_id": guild_id, "motd": format!("{letter}") });
            player.post("/guild/change-motd", motd).await.result();
            player.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
        }
        let guild = json!({ "name": format!("Guild {letter}"), "character_name": format!("Hero {letter}") });
        player.post("/guild/create-guild", guild).await.result();
    });
    let follow = async {
        while site.count("select count(*) from guilds").await < PLAYERS as i64 {
            follower.follow_all(&site, &mut replica).await;
        }
    };
    tokio::join!(join_all(play), follow);
    follower.follow_all(&site, &mut replica).await;
    let snapshot = snapshot(&site).await;
    assert_eq!(replica.differences(&snapshot), Vec::<String>::new());
    assert_ne!(GameReplica::default().differences(&snapshot), Vec::<String>::new());
    site.finish().await;
}
