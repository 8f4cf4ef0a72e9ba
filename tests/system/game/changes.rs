//! The changes that games must know: their order, the places in them, and the snapshot.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use guildhall_common::platform::db;
use guildhall_testkit::game_replica::GameReplica;
use serde_json::{Value, json};

use crate::{
    account::deletion::{ask_for_deletion, delete_now},
    support::{
        client::Client,
        community::{StaffRole, character_in_guild},
        site::Site,
        wait::wait_until,
    },
};

/// A game that follows the changes.
struct Follower {
    game_server: Client,
    last: String,
}

impl Follower {
    async fn start(site: &Site) -> Self {
        wait_until_numbered(site).await;
        let game_server = site.game_server().clone();
        let place = game_server.get("/game/changes").await.ok();
        assert_eq!(place["items"], json!([]));
        Self { game_server, last: text(&place["last"]) }
    }

    /// The next states.
    async fn next(&mut self, query: &str) -> Vec<Value> {
        let changes = self.game_server.get(&format!("/game/changes?after={}{query}", self.last)).await.ok();
        self.last = text(&changes["last"]);
        changes["items"].as_array().unwrap().iter().map(|change| change["state"].clone()).collect()
    }

    /// This number of states. It waits for them.
    async fn read(&mut self, count: usize) -> Vec<Value> {
        let mut states = vec![];
        while states.len() < count {
            states.extend(self.next(&format!("&wait=20&limit={}", count - states.len())).await);
        }
        states
    }

    /// Follows until all changes that are recorded now have arrived.
    async fn follow_all(&mut self, site: &Site, replica: &mut GameReplica) {
        wait_until_numbered(site).await;
        loop {
            let states = self.next("&limit=7").await;
            if states.is_empty() {
                return;
            }
            states.iter().for_each(|state| replica.apply(state));
        }
    }
}

async fn wait_until_numbered(site: &Site) {
    let waiting = "select count(*) from game_changes where number is null";
    wait_until("the changes are numbered", async || site.count(waiting).await == 0).await;
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn snapshot(site: &Site) -> GameReplica {
    let (mut replica, mut path) = (GameReplica::default(), "/game/snapshot?limit=3".to_owned());
    loop {
        let page = site.game_server().get(&path).await.ok();
        page["items"].as_array().unwrap().iter().for_each(|state| replica.apply(state));
        let Some(next) = page["next"].as_str() else { return replica };
        path = format!("/game/snapshot?limit=3&after={next}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_accounts_and_suspensions() {
    let site = Site::start().await;
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let mut follower = Follower::start(&site).await;
    let mira = site.player("mira").await;
    let account = json!({ "account_id": mira.account_id, "name": "mira", "deleted": false });
    let suspended = |suspension: Value| {
        let mut account = account.clone();
        account["suspension"] = suspension;
        json!({ "account": account })
    };
    assert_eq!(follower.read(1).await, [json!({ "account": account })]);
    let suspension = json!({ "account_id": mira.account_id, "until": null, "reason": "Spam." });
    boss.post("/admin/accounts/suspend", suspension).await.result();
    assert_eq!(follower.read(1).await, [suspended(json!({ "reason": "Spam." }))]);
    let suspension =
        json!({ "account_id": mira.account_id, "until": "2040-01-31T12:00:00Z", "reason": "More spam." });
    boss.post("/admin/accounts/suspend", suspension).await.result();
    let until = json!({ "until": "2040-01-31T12:00:00Z", "reason": "More spam." });
    assert_eq!(follower.read(1).await, [suspended(until)]);
    let lift = json!({ "account_id": mira.account_id, "reason": "A mistake." });
    boss.post("/admin/accounts/lift-suspension", lift).await.result();
    assert_eq!(follower.read(1).await, [json!({ "account": account })]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_characters() {
    let site = Site::start().await;
    let (mira, tom) = (site.player("mira").await, site.player("tom").await);
    let mut follower = Follower::start(&site).await;
    let id = site.claimed_character(&mira, "Mira").await;
    let mut state = json!({
        "character_id": id, "account_id": mira.account_id, "name": "Mira", "vocation": "Knight", "deleted": false
    });
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    mira.post("/accounts/characters/rename", json!({ "character_id": id, "new_name": "Mimi" }))
        .await
        .result();
    state["name"] = json!("Mimi");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);

    let report = async |name: &str, level: i32, owner: &Client| {
        let character = json!({
            "name": name, "level": level, "vocation": "Elite Knight", "online": false, "account_id": owner.account_id,
            "game_character_id": "812"
        });
        let report = json!({ "characters": [character], "world": "Antica" });
        site.game_server().put("/game/characters", report).await.result();
    };
    report("Mimi", 20, &mira).await;
    state["world"] = json!("Antica");
    state["game_character_id"] = json!("812");
    state["vocation"] = json!("Elite Knight");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    // A new level is no change.
    report("Mimi", 21, &mira).await;
    report("Mira Again", 21, &mira).await;
    state["name"] = json!("Mira Again");
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    report("Mira Again", 21, &tom).await;
    state["account_id"] = json!(tom.account_id);
    assert_eq!(follower.read(1).await, [json!({ "character": state })]);
    let deleted = json!({ "game_character_ids": ["812"] });
    site.game_server().post("/game/characters/delete", deleted).await.result();
    let gone = json!({
        "character_id": id, "account_id": tom.account_id, "world": "Antica", "game_character_id": "812", "deleted": true
    });
    assert_eq!(follower.read(1).await, [json!({ "character": gone })]);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_learns_of_guilds_and_their_members() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let mira_id = site.character(&mira, "Mira").await;
    let mut follower = Follower::start(&site).await;
    let guild = json!({ "name": "Night Watch", "character_name": "Mira" });
    let guild_id = mira.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    let mut guild = json!({
        "guild_id": guild_id, "name": "Night Watch", "leader_id": mira_id, "motd": "", "created_at": view["created_at"],
        "deleted": false
    });
    let mut leader = json!({
        "character_id": mira_id, "guild_id": guild_id, "rank": "leader", "joined_at": view["members"][0]["joined_at"]
    });
    assert_eq!(follower.read(2).await, [json!({ "guild": guild }), json!({ "membership": leader })]);

    mira.post("/guild/change-motd", json!({ "guild_id": guild_id, "motd": "Winter is coming." }))
        .await
        .result();
    guild["motd"] = json!("Winter is coming.");
    assert_eq!(follower.read(1).await, [json!({ "guild": guild })]);
    let mut nick = character_in_guild(guild_id, "Mira");
    nick["nick"] = json!("The Brave");
    mira.post("/guild/set-nick", nick).await.result();
    leader["nick"] = json!("The Brave");
    assert_eq!(follower.read(1).await, [json!({ "membership": leader })]);

    let tom = site.member(&mira, guild_id, "Tom").await;
    let [account, character, joined] = follower.read(3).await.try_into().unwrap();
    assert_eq!(account["account"]["account_id"], tom.account_id);
    let tom_id = &character["character"]["character_id"];
    let membership = &joined["membership"];
    assert_eq!((&membership["character_id"], &membership["rank"]), (tom_id, &json!("member")));
    mira.post("/guild/pass-leadership", character_in_guild(guild_id, "Tom")).await.result();
    let mut replica = BTreeMap::new();
    let is_passed = |ranks: &BTreeMap<i64, Value>| {
        ranks.get(&mira_id) == Some(&json!("vice_leader"))
            && ranks.get(&tom_id.as_i64().unwrap()) == Some(&json!("leader"))
    };
    while !is_passed(&replica) {
        for state in follower.next("&wait=20").await {
            let membership = &state["membership"];
            replica
                .insert(membership["character_id"].as_i64().unwrap_or_default(), membership["rank"].clone());
        }
    }

    mira.post("/guild/leave", character_in_guild(guild_id, "Mira")).await.result();
    assert_eq!(follower.read(1).await, [json!({ "membership": { "character_id": mira_id } })]);
    tom.post("/guild/delete", json!({ "guild_id": guild_id })).await.result();
    guild["leader_id"] = tom_id.clone();
    guild["deleted"] = json!(true);
    let deleted = [json!({ "guild": guild }), json!({ "membership": { "character_id": tom_id } })];
    let mut states = follower.read(2).await;
    states.sort_by_key(|state| state.get("membership").is_some());
    assert_eq!(states, deleted);
    site.finish().await;
}

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

#[tokio::test(flavor = "multi_thread")]
async fn a_place_that_the_site_does_not_have_is_refused() {
    let site = Site::start().await;
    let (mira, guild_id) = site.guild("Mira", "Night Watch").await;
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
    site.player("tom").await.get("/game/changes").await.problem(403, "role_missing");
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
