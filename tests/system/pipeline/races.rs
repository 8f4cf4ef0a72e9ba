//! Commands that compete for the same thing.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{client::Response, community::character_in_guild, options::Options, site::Site};

/// Asserts that each leader is a member, and that no character is in two guilds or is a member with an invite.
async fn assert_guilds_are_consistent(site: &Site) {
    let inconsistencies = "select (select count(*) from guilds where not exists
                    (select from guild_members where guild_members.guild_id = guilds.guild_id and character_id = leader_id))
              + (select count(*) from (select from guild_members group by character_id having count(*) > 1) twice)
              + (select count(*) from guild_invites join guild_members using (character_id))";
    assert_eq!(site.count(inconsistencies).await, 0);
}

/// A site whose commands compete in several transactions.
async fn start() -> Site {
    Site::start_with(Options { partitions: 4, ..Options::default() }).await
}

fn successes(responses: &[Response]) -> usize {
    responses.iter().filter(|response| response.is_completed()).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_competing_guilds_gets_the_name() {
    let site = start().await;
    let mut racers = Vec::new();
    for letter in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let player = site.player(&format!("racer_{letter}")).await;
        let name = format!("Racer {}", letter.repeat(3));
        site.character(&player, &name).await;
        racers.push((player, name));
    }
    let responses = join_all(racers.iter().map(|(player, name)| {
        player.post("/guild/create-guild", json!({ "name": "Night Watch", "character_name": name }))
    }))
    .await;
    assert_eq!(successes(&responses), 1);
    for refused in responses.into_iter().filter(|response| response.status != 201) {
        refused.problem(409, "guild_name_taken");
    }
    assert_guilds_are_consistent(&site).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_competing_accepts_is_applied() {
    let site = start().await;
    let tom = site.player("tom").await;
    site.character(&tom, "Tom").await;
    let mut guilds = Vec::new();
    for letter in ["a", "b", "c", "d", "e"] {
        let (leader, guild_id) =
            site.guild(&format!("Leader {}", letter.repeat(3)), &format!("Guild {letter}")).await;
        leader.post("/guild/invite", character_in_guild(guild_id, "Tom")).await.result();
        guilds.push(guild_id);
    }
    let responses = join_all(
        (0..50).map(|number| tom.post("/guild/accept-invite", character_in_guild(guilds[number % 5], "Tom"))),
    )
    .await;
    assert_eq!(successes(&responses), 1);
    for refused in responses.into_iter().filter(|response| response.status != 200) {
        // The first accept removed all invites of the character.
        refused.problem(404, "invite_not_found");
    }
    assert_guilds_are_consistent(&site).await;
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn competing_leadership_changes_and_deletion_leave_no_guild_without_leader() {
    let site = start().await;
    for round in ["a", "b", "c", "d", "e", "f"] {
        let (leader, guild_id) =
            site.guild(&format!("Leader {}", round.repeat(3)), &format!("Guild {round}")).await;
        let names = [format!("Heir {}", round.repeat(3)), format!("Other {}", round.repeat(3))];
        for name in &names {
            site.member(&leader, guild_id, name).await;
        }
        let heir = |name: &String| character_in_guild(guild_id, name);
        let responses = join_all([
            leader.post("/guild/pass-leadership", heir(&names[0])),
            leader.post("/guild/delete", json!({ "guild_id": guild_id })),
            leader.post("/guild/pass-leadership", heir(&names[1])),
        ])
        .await;
        assert_eq!(successes(&responses), 1, "{responses:?}");
        for refused in responses.into_iter().filter(|response| response.status != 200) {
            assert!(
                ["guild_not_found", "not_leader"].contains(&refused.body["code"].as_str().unwrap()),
                "{refused:?}"
            );
        }
        assert_guilds_are_consistent(&site).await;
    }
    site.finish().await;
}
