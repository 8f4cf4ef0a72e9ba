//! The import of the accounts of a game: names, addresses, passwords.

use guildhall_testkit::traces;
use serde_json::{Value, json};

use crate::{
    account::deletion::delete_now,
    support::{
        client::{Client, Response},
        community::StaffRole,
        site::Site,
        wait::wait_until,
    },
};

/// The password `senha café`, hashed by a client that sends Latin-1.
const PASSWORD: &str = "senha caf\u{e9}";
const SHA1: &str = "9d5da45a302ea704fb69d346d49c4736b1dfb820";
/// Argon2id with 4 MiB, 2 iterations, 2 lanes.
const ARGON2ID: &str = "$MDEyMzQ1Njc4OWFiY2RlZg==$4fhGRsYO6g2ecBg97RcVSOtGmSYhhRyHqN78dy5HuVg=";

async fn allow(site: &Site) -> Client {
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let allowed = boss.post("/admin/service-tokens/allow-import", json!({ "service_token_id": 1 })).await;
    assert_eq!(allowed.result()["service_token_id"], 1);
    boss
}

async fn import(site: &Site, accounts: Value) -> Response {
    let costs = json!({ "memory_kib": 4096, "iterations": 2, "lanes": 2 });
    site.game_server().post("/game/accounts/import", json!({ "accounts": accounts, "argon2": costs })).await
}

async fn log_in(site: &Site, login: &str, password: &str) -> Response {
    site.visitor().post("/auth", json!({ "login": login, "password": password })).await
}

async fn stored_hash(site: &Site, name: &str) -> String {
    let hash = sqlx::query_scalar("select password_hash from accounts where name_key = $1").bind(name);
    hash.fetch_one(&site.database).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_needs_an_administrator_and_ends_after_a_day() {
    let site = Site::start().await;
    let accounts = json!([{ "game_account_id": "1", "name": "mira" }]);
    import(&site, accounts.clone()).await.problem(403, "import_not_allowed");
    // The api refuses before it hashes.
    let with_hash = json!([{ "game_account_id": "1", "name": "mira", "password_hash": SHA1 }]);
    import(&site, with_hash).await.problem(403, "import_not_allowed");
    let boss = allow(&site).await;
    site.wait_until_ahead("select imports_until from service_tokens", "1 day").await;
    let tokens = boss.get("/admin/service-tokens").await.ok();
    assert!(tokens["items"][0]["imports_until"].is_string(), "{tokens}");
    let audit = boss.get("/admin/audit?action=service_token.allow_import").await.ok();
    assert_eq!(audit["items"][0]["details"]["service_token_id"], 1);
    import(&site, accounts.clone()).await.result();
    site.execute("update service_tokens set imports_until = now()").await;
    import(&site, accounts).await.problem(403, "import_not_allowed");
    let allow = async |id: i64| {
        boss.post("/admin/service-tokens/allow-import", json!({ "service_token_id": id })).await
    };
    allow(99).await.problem(404, "service_token_not_found");
    site.revoke_service_token().await;
    allow(1).await.problem(409, "service_token_already_revoked");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_keep_their_names_and_passwords() {
    let site = Site::start().await;
    allow(&site).await;
    let accounts = json!([
        { "game_account_id": "world-1:1", "name": "Mira", "email": "mira@example.org", "password_hash": SHA1,
          "created_at": "2015-01-31T12:00:00Z" },
        { "game_account_id": "world-1:2", "name": "1234567", "password_hash": ARGON2ID },
        { "game_account_id": "world-1:3", "name": "tom", "email": "no address", "password_hash": "plain text" },
    ]);
    let imported = import(&site, accounts.clone()).await.result();
    let row = |id: &str, account_id: i64, name: &str, has: [bool; 3], created: bool| {
        json!({
            "game_account_id": id, "account_id": account_id, "name": name, "created": created, "has_game_login": has[0],
            "has_email": has[1], "has_password": has[2]
        })
    };
    let rows = |created| {
        json!({ "accounts": [
            row("world-1:1", 2, "Mira", [true, true, true], created),
            row("world-1:2", 3, "p1234567", [true, false, true], created),
            row("world-1:3", 4, "tom", [true, false, false], created),
        ] })
    };
    assert_eq!(imported, rows(true));
    assert_eq!(import(&site, accounts).await.result(), rows(false));
    assert_eq!(site.count("select count(*) from accounts where created_at < '2016-01-01'").await, 1);

    for (login, name) in [("mira", "mira"), ("1234567", "p1234567"), ("p1234567", "p1234567")] {
        log_in(&site, login, "senha cafe").await.problem(401, "wrong_credentials");
        log_in(&site, login, SHA1).await.problem(401, "wrong_credentials");
        log_in(&site, login, PASSWORD).await.ok();
        // The first log-in has replaced the hash of the game.
        assert!(stored_hash(&site, name).await.starts_with("$argon2id$"));
        log_in(&site, login, PASSWORD).await.ok();
    }
    log_in(&site, "tom", "plain text").await.problem(401, "wrong_credentials");
    log_in(&site, "tom", "").await.invalid("/password");
    // An address of the game is not verified, so a log-in with it is refused.
    log_in(&site, "mira@example.org", PASSWORD).await.problem(401, "wrong_credentials");
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_changes_no_account_and_gives_no_name_twice() {
    let site = Site::start().await;
    allow(&site).await;
    let tom = site.player("tom").await;
    let account = |id: &str, name: &str| json!({ "game_account_id": id, "name": name, "email": "shared@example.org", "password_hash": SHA1 });
    let accounts = json!([
        account("1", "TOM"),
        account("2", "tom"),
        account("3", "77"),
        account("4", "77"),
        account("3", "88")
    ]);
    let imported = import(&site, accounts).await.result();
    let rows = imported["accounts"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["TOM_2", "tom_3", "p77", "p77_2", "p77"]);
    let logins: Vec<bool> = rows.iter().map(|row| row["has_game_login"].as_bool().unwrap()).collect();
    assert_eq!(logins, [false, false, true, false, false]);
    // The account of the site is the same.
    site.log_in("tom").await.ok();
    log_in(&site, "tom", PASSWORD).await.problem(401, "wrong_credentials");
    assert_eq!(tom.get("/accounts/me").await.ok()["email"], "tom@example.org");
    log_in(&site, "77", PASSWORD).await.ok();
    log_in(&site, "p77_2", PASSWORD).await.ok();
    let roles = "select count(*) from accounts join imported_accounts using (account_id) where roles <> '{}'";
    assert_eq!(site.count(roles).await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_account_leaves_no_trace_of_the_game() {
    let site = Site::start().await;
    allow(&site).await;
    let account = json!([{ "game_account_id": "world-1:42", "name": "55501234", "email": "mira@example.org", "password_hash": SHA1 }]);
    let account_id = import(&site, account).await.result()["accounts"][0]["account_id"].as_i64().unwrap();
    let session = log_in(&site, "55501234", PASSWORD).await.ok();
    let player = site.visitor().with_token(session["access_token"].as_str().unwrap());
    site.execute("update accounts set email_verified_at = now()").await;
    player.post("/accounts/delete", json!({ "password": PASSWORD })).await.result();
    delete_now(&site, account_id).await;
    wait_until("outcomes are erased", async || site.count("select count(*) from erasures").await == 0).await;
    wait_until("changes are erased", async || {
        site.count("select count(*) from game_changes where number is null").await == 0
    })
    .await;
    let traces = traces::find(&site.database, "55501234").await.unwrap();
    assert!(traces.is_empty(), "{traces:?}");
    assert_eq!(site.count("select count(*) from imported_accounts").await, 0);
    site.finish().await;
}

/// Four characters of an account, which the game knows as `1` to `4`.
async fn report_characters(site: &Site, account_id: i64) {
    let characters = [("Mira", "1"), ("Tom", "2"), ("Ann", "3"), ("Lea", "4")].map(|(name, id)| {
        json!({
            "name": name, "level": 1, "vocation": "Knight", "online": false, "account_id": account_id,
            "game_character_id": id
        })
    });
    site.game_server().put("/game/characters", json!({ "characters": characters })).await.result();
}

/// Guilds of a game: one with a strange name, one with the same name, one whose leader is in another guild, one without a leader.
fn guilds_of_game() -> Value {
    let member =
        |id: &str, rank: &str, nick: &str| json!({ "game_character_id": id, "rank": rank, "nick": nick });
    let members = [
        member("1", "vice_leader", "The Brave"),
        member("2", "vice_leader", "far too long for a nick"),
        member("3", "member", ""),
        member("99", "member", ""),
    ];
    json!([
        { "game_guild_id": "g1", "name": "[Night] Watch", "leader": "1", "motd": "Winter\nis coming.",
          "created_at": "2015-01-31T12:00:00Z", "members": members },
        { "game_guild_id": "g2", "name": "Night Watch", "leader": "4", "members": [member("3", "member", "")] },
        { "game_guild_id": "g3", "name": "Third", "leader": "2", "members": [] },
        { "game_guild_id": "g4", "name": "Fourth", "leader": "99", "members": [] },
    ])
}

#[tokio::test(flavor = "multi_thread")]
async fn guilds_are_imported_with_their_members_once() {
    let site = Site::start().await;
    let boss = allow(&site).await;
    report_characters(&site, boss.account_id).await;
    let import =
        async || site.game_server().post("/game/guilds/import", json!({ "guilds": guilds_of_game() })).await;
    let imported = import().await.result();
    let guild = |id: &str, number: usize, name: &str, created: bool, skipped: Value| {
        let guild_id = &imported["guilds"][number]["guild_id"];
        json!({ "game_guild_id": id, "guild_id": guild_id, "name": name, "created": created, "skipped": skipped })
    };
    let guilds = |created: bool, of_first: Value, of_second: Value| {
        json!({
            "guilds": [
                guild("g1", 0, "Night Watch", created, of_first), guild("g2", 1, "Night Watch 2", created, of_second)
            ],
            "skipped": [
                { "game_guild_id": "g3", "reason": "already_in_guild" },
                { "game_guild_id": "g4", "reason": "character_not_found" },
            ]
        })
    };
    let of_first = json!([{ "game_character_id": "99", "reason": "character_not_found" }]);
    let of_second = json!([{ "game_character_id": "3", "reason": "already_in_guild" }]);
    assert_eq!(imported, guilds(true, of_first, of_second));
    assert_eq!(import().await.result(), guilds(false, json!([]), json!([])));
    site.execute("update service_tokens set imports_until = null").await;
    import().await.problem(403, "import_not_allowed");

    let view = site.visitor().get("/guild/view/Night%20Watch").await.ok();
    assert_eq!(
        (&view["motd"], &view["created_at"]),
        (&json!("Winter is coming."), &json!("2015-01-31T12:00:00Z"))
    );
    let nicks: Vec<_> = view["members"].as_array().unwrap().iter().map(|member| member.get("nick")).collect();
    assert_eq!(nicks, [Some(&json!("The Brave")), None, None]);
    assert_eq!(site.guild_members("Night%20Watch").await, ["Mira leader", "Tom vice_leader", "Ann member"]);
    assert_eq!(site.guild_members("Night%20Watch%202").await, ["Lea leader"]);
    site.finish().await;
}
