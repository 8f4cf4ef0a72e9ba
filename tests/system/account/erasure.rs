//! A deleted account leaves no trace of the person: not in the database, Redis, the queues or the log.

use std::collections::BTreeMap;

use guildhall_common::platform::config::{LogFormat, Logging};
use guildhall_testkit::traces;
use redis::AsyncCommands;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{
    deletion::{ask_for_deletion, delete_now},
    email_changes::verified_player,
};
use crate::support::{
    bank::Bank,
    child::run_in_child,
    client::Client,
    community::{PASSWORD, StaffRole},
    mailbox::Mailbox,
    options::Options,
    payment::paid_payment,
    site::Site,
    wait::wait_until,
};

/// A part of every name and address of the person.
const TRACE: &str = "zephyr";

#[test]
fn no_trace_of_a_deleted_person_is_left() {
    let name = "account::erasure::no_trace_of_a_deleted_person_is_left";
    let logging = Logging { log: Some("info".to_owned()), log_format: LogFormat::Text };
    let Some(written) = run_in_child(name, &logging, live_and_leave()) else { return };
    assert!(written.log.contains("account deleted"), "{}", written.log);
    let line = written.log.lines().find(|line| line.to_lowercase().contains(TRACE));
    assert_eq!(line, None, "the log has a name");
}

async fn live_and_leave() {
    let (mailbox, bank) = (Mailbox::start().await, Bank::start().await);
    let site = bank.site_with(Options { payments: bank.settings(), ..mailbox.options() }).await;
    let person = live(&site, &mailbox, &bank).await;
    let before = traces(&site).await;
    for table in ["accounts", "characters", "mails", "operations", "audit_texts", "account_notes", "sessions"]
    {
        assert!(before.contains_key(table), "{table} has no trace before the deletion: {before:?}");
    }
    ask_for_deletion(&person).await.result();
    // The first mail verified the address.
    mailbox.wait_for("zephyrine@zephyr.example", 2).await;
    // A worker can end between two statements, so the last mail must never be stored as sent.
    site.execute("alter table mails add check (kind <> 'deletion_done' or state = 'waiting')").await;
    delete_now(&site, person.account_id).await;
    let last = mailbox.wait_for("zephyrine@zephyr.example", 3).await;
    assert!(last.subject.contains("deleted"), "{last:?}");
    wait_until("no table has a trace", async || traces(&site).await.is_empty()).await;
    wait_until("the cache has no trace", async || cached_traces(&site).await.is_empty()).await;
    check_records(&site, person.account_id).await;
    site.finish().await;
}

/// Leaves traces everywhere: names, addresses, texts, payments, posts, mails, a guild.
async fn live(site: &Site, mailbox: &Mailbox, bank: &Bank) -> Client {
    let person = verified_player(site, mailbox, "zephyrine").await;
    let agent = site.visitor().request(http::Method::POST, "/auth").header("User-Agent", "Zephyr Phone");
    let log_in = json!({ "login": "zephyrine", "password": PASSWORD });
    crate::support::client::send(agent.json(&log_in)).await.ok();
    site.character(&person, "Zephyra Quill").await;
    site.claimed_character(&person, "Zephyro Nib").await;
    let guild = json!({ "name": "Night Watch", "character_name": "Zephyra Quill" });
    let guild_id = person.post("/guild/create-guild", guild).await.result()["guild_id"].as_i64().unwrap();
    site.member(&person, guild_id, "Tom Stays").await;
    site.visitor().get("/guild/view/Night Watch").await.ok();
    paid_payment(bank, &person).await;
    let horse = site.offer(json!({ "name": "Horse" })).await;
    let lines = json!([{ "offer_id": horse, "quantity": 1 }]);
    let purchase = json!({ "character_name": "Zephyra Quill", "lines": lines });
    person.post("/shop/purchase", purchase).await.result();

    site.set_role("zephyrine", StaffRole::Editor, true).await;
    let post = json!({
        "title": "News", "summary": "", "body": "Text.", "pinned": false, "hidden": false,
        "published_at": "2020-01-01T00:00:00Z"
    });
    person.post("/news/create", post).await.result();
    site.visitor().get("/news/list/1/10").await.ok();
    site.set_role("zephyrine", StaffRole::Editor, false).await;
    be_administered(site, &person).await;
    change_address(site, mailbox, &person).await;
    // A stranger names the person, too.
    let email = json!({ "email": "Zephyrine@example.org" });
    site.visitor().post("/accounts/forgot-password", email).await;
    let tom = site.player("tom").await;
    let invite = json!({ "guild_id": guild_id, "character_name": "Zephyro Nib" });
    tom.post("/guild/invite", invite).await.problem(403, "not_leading");
    person
        .post("/guild/invite", json!({ "guild_id": guild_id, "character_name": "Zephyro Nib" }))
        .await
        .result();
    // Each character of the person kills one of another player, and one of them dies.
    site.character(&tom, "Tom Falls").await;
    let died = |id: &str, character: &str, killer: &str| {
        json!({
            "death_id": id, "character_name": character, "died_at": "2026-01-01T00:00:00Z", "level": 20,
            "killed_by": killer, "killer_is_player": true
        })
    };
    let deaths = [
        died("1", "Tom Falls", "Zephyra Quill"),
        died("2", "Tom Falls", "Zephyro Nib"),
        died("3", "Tom Falls", "Zephyrus Unknown"),
        died("4", "Zephyra Quill", "Tom Falls"),
    ];
    let reported = site.game_server().post("/game/deaths", json!({ "deaths": deaths })).await.result();
    assert_eq!(reported["created"], 4);
    let list = site.visitor().get("/characters/deaths/1/10").await.ok().to_string();
    assert!(list.contains("Zephyra Quill") && !list.contains("Zephyrus"), "{list}");
    person
}

/// Administrators write about the person.
async fn be_administered(site: &Site, person: &Client) {
    let boss = site.player_with_role("boss", StaffRole::Admin).await;
    let about = |extra: Value| {
        let mut body = json!({ "account_id": person.account_id });
        body.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        body
    };
    let note = about(json!({ "text": "Zephyrine asked twice." }));
    boss.post("/admin/accounts/add-note", note).await.result();
    let gift = about(json!({ "coins": 5, "reason": "A gift for Zephyrine." }));
    boss.post("/admin/coins/adjust", gift).await.result();
}

async fn change_address(site: &Site, mailbox: &Mailbox, person: &Client) {
    let change = json!({ "email": "zephyrine@zephyr.example", "password": PASSWORD });
    person.post("/accounts/change-email", change).await.result();
    let token = mailbox.wait_for("zephyrine@zephyr.example", 1).await.token().to_owned();
    site.visitor().post("/accounts/verify-email", json!({ "token": token })).await.result();
}

/// The tables with rows that name the person, and an example of each.
async fn traces(site: &Site) -> BTreeMap<String, String> {
    traces::find(&site.database, TRACE).await.unwrap()
}

/// The keys and bodies in Redis that name the person.
async fn cached_traces(site: &Site) -> Vec<String> {
    let client = redis::Client::open(site.servers.redis_url.expose_secret()).unwrap();
    let mut redis = client.get_multiplexed_async_connection().await.unwrap();
    let keys: Vec<String> = redis.keys(format!("*{}*", site.servers.namespace)).await.unwrap();
    let mut traces = vec![];
    for key in keys {
        // A cached response is a hash, other values are strings.
        let (text, responses): (Option<Vec<u8>>, Option<Vec<Vec<u8>>>) =
            (redis.get(&key).await.ok(), redis.hvals(&key).await.ok());
        let values: Vec<Vec<u8>> = text.into_iter().chain(responses.into_iter().flatten()).collect();
        if format!("{key} {}", String::from_utf8_lossy(&values.concat())).to_lowercase().contains(TRACE) {
            traces.push(key);
        }
    }
    traces
}

/// Money and numbers stay.
async fn check_records(site: &Site, account_id: i64) {
    assert_eq!(site.count("select coalesce(sum(coins), 0)::bigint from coin_entries").await, 0);
    for (table, rows) in [("receipts", 1), ("purchases", 1), ("posts", 1)] {
        assert_eq!(site.count(&format!("select count(*) from {table}")).await, rows, "{table}");
    }
    let balance = format!("select balance from coin_accounts where account_id = {account_id}");
    assert_eq!(site.count(&balance).await, 1100 + 5 - 250);
    let posts = site.visitor().get("/news/list/1/10").await.ok();
    assert_eq!(posts["items"][0]["author"], format!("deleted account {account_id}"));
    assert_eq!(site.guild_members("Night Watch").await, ["Tom Stays leader"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_identity_of_a_payer_is_kept_for_as_long_as_the_law_requires() {
    let (mailbox, bank) = (Mailbox::start().await, Bank::start().await);
    let options = Options { payments: bank.settings(), identity_retention_days: 3650, ..mailbox.options() };
    let site = bank.site_with(options).await;
    let payer = verified_player(&site, &mailbox, "mira").await;
    let other = verified_player(&site, &mailbox, "tom").await;
    let unverified = verified_player(&site, &mailbox, "eve").await;
    for player in [&payer, &unverified] {
        paid_payment(&bank, player).await;
    }
    // A site may allow payments without a verified address.
    site.execute("update accounts set email_verified_at = null where name = 'eve'").await;
    for player in [&payer, &other, &unverified] {
        ask_for_deletion(player).await.result();
    }
    for player in [&payer, &other, &unverified] {
        delete_now(&site, player.account_id).await;
    }
    let kept: Vec<(String, String)> =
        sqlx::query_as("select name, email from retained_identities order by name desc")
            .fetch_all(&site.database)
            .await
            .unwrap();
    let identity = |name: &str| (name.to_owned(), format!("{name}@example.org"));
    assert_eq!(kept, [identity("mira"), identity("eve")]);
    site.execute("update retained_identities set kept_until = now()").await;
    site.execute("update jobs set due_at = now() where job ->> 'name' = 'purge_accounts'").await;
    let rows = "select count(*) from retained_identities";
    wait_until("the identity is deleted", async || site.count(rows).await == 0).await;
    site.finish().await;
}
