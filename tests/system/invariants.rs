//! What must hold whatever happens at the same time.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Answer, Site};

/// One leader per guild, who is a member; one guild per character.
async fn books(site: &Site) {
    let wrong: i64 = sqlx::query_scalar(
        "select (select count(*) from guilds where not exists
                    (select from guild_members where guild_members.guild_id = guilds.guild_id and character_id = leader_id))
              + (select count(*) from (select from guild_members group by character_id having count(*) > 1) twice)
              + (select count(*) from guild_invites join guild_members using (character_id))",
    )
    .fetch_one(&site.database)
    .await
    .unwrap();
    assert_eq!(wrong, 0);
}

fn winners(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| [200, 201].contains(&answer.status)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_is_seen_by_the_next_read() {
    const ROUNDS: u64 = 1000;
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
    let (done, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "0" })).await.result();
    // Readers all the time, so that fills race with the invalidations.
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (reader, done, answered) = (site.nobody(), done.clone(), answered.clone());
            tokio::spawn(async move {
                let mut reads = 0;
                while !done.load(Ordering::SeqCst) {
                    let before = answered.load(Ordering::SeqCst);
                    let view = reader.get("/guild/view/Night%20Watch").await.ok();
                    let seen: u64 = view["motd"].as_str().unwrap().parse().unwrap();
                    assert!(seen >= before, "read {seen} after {before} was answered");
                    reads += 1;
                }
                reads
            })
        })
        .collect();
    for round in 1..=ROUNDS {
        let motd = json!({ "guild_id": guild_id, "motd": round.to_string() });
        mira.post("/guild/change-motd", motd).await.result();
        answered.store(round, Ordering::SeqCst);
        let view = site.nobody().get("/guild/view/Night%20Watch").await.ok();
        assert_eq!(view["motd"], round.to_string());
    }
    done.store(true, Ordering::SeqCst);
    let reads: u64 = join_all(readers).await.into_iter().map(Result::unwrap).sum();
    assert!(reads > ROUNDS, "only {reads} reads");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_who_want_a_name_one_gets_it() {
    let site = Site::start().await;
    let mut racers = Vec::new();
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let player = site.player(&format!("racer_{letter}")).await;
        let name = format!("Racer {}", letter.repeat(3));
        site.character(&player, &name).await;
        racers.push((player, name));
    }
    let answers = join_all(racers.iter().map(|(player, name)| {
        player.post("/guild/create-guild", json!({ "name": "Night Watch", "character_name": name }))
    }))
    .await;
    assert_eq!(winners(&answers), 1);
    for loser in answers.into_iter().filter(|answer| answer.status != 201) {
        loser.problem(409, "guild_name_taken");
    }
    books(&site).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_accepts_of_one_character_one_counts() {
    let site = Site::start().await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    let mut guilds = Vec::new();
    for letter in ["a", "b", "c", "d", "e"] {
        let (leader, guild_id) =
            site.guild(&format!("Leader {}", letter.repeat(3)), &format!("Guild {letter}")).await;
        leader.post("/guild/invite", json!({ "guild_id": guild_id, "character_name": "Tom" })).await.result();
        guilds.push(guild_id);
    }
    let answers = join_all((0..50).map(|number| {
        tom.post("/guild/accept-invite", json!({ "guild_id": guilds[number % 5], "character_name": "Tom" }))
    }))
    .await;
    assert_eq!(winners(&answers), 1);
    for loser in answers.into_iter().filter(|answer| answer.status != 200) {
        // All his invites were gone with the first accept.
        loser.problem(404, "invite_not_found");
    }
    books(&site).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn leadership_passed_and_guild_deleted_at_once_leave_no_headless_guild() {
    let site = Site::start().await;
    for round in ["a", "b", "c", "d", "e", "f"] {
        let (leader, guild_id) =
            site.guild(&format!("Leader {}", round.repeat(3)), &format!("Guild {round}")).await;
        let names = [format!("Heir {}", round.repeat(3)), format!("Other {}", round.repeat(3))];
        for name in &names {
            site.member(&leader, guild_id, name).await;
        }
        let pass = |name: &String| json!({ "guild_id": guild_id, "character_name": name });
        let answers = join_all([
            leader.post("/guild/pass-leadership", pass(&names[0])),
            leader.post("/guild/delete", json!({ "guild_id": guild_id })),
            leader.post("/guild/pass-leadership", pass(&names[1])),
        ])
        .await;
        assert_eq!(winners(&answers), 1, "{answers:?}");
        for loser in answers.into_iter().filter(|answer| answer.status != 200) {
            assert!(
                ["guild_not_found", "not_leader"].contains(&loser.body["code"].as_str().unwrap()),
                "{loser:?}"
            );
        }
        books(&site).await;
    }
    site.finish().await;
}
