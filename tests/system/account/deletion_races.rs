//! Deletions beside commands that store something about the same account or character.
//!
//! Each test locks a table, so that the command and then the deletion wait in their transactions.

use guildhall_common::platform::db;
use serde_json::{Value, json};

use super::deletion::{ask_for_deletion, delete_now};
use crate::support::{client::Client, site::Site, wait::wait_until};

#[tokio::test(flavor = "multi_thread")]
async fn a_death_that_is_being_stored_is_deleted_with_its_character() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira Stormborn").await;
    let death = json!({
        "death_id": "1", "character_name": "Mira Stormborn", "died_at": "2026-01-01T00:00:00Z", "level": 20,
        "killed_by": "a dragon", "killer_is_player": false
    });
    let deaths = json!({ "deaths": [death] });
    delete_beside(&site, &mira, "deaths", site.game_server().clone(), "/game/deaths", deaths).await;
    assert_eq!(site.count("select count(*) from deaths").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gift_that_is_being_bought_is_parked_with_the_deletion_of_its_character() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    site.character(&mira, "Mira Stormborn").await;
    let tom = site.player("tom").await;
    site.give_coins(&tom, 10).await;
    let horse = site.offer(json!({ "name": "Horse", "price": 1 })).await;
    let lines = json!([{ "offer_id": horse, "quantity": 1 }]);
    let gift = json!({ "character_name": "Mira Stormborn", "lines": lines });
    delete_beside(&site, &mira, "deliveries", tom, "/shop/purchase", gift).await;
    assert_eq!(site.count("select count(*) from deliveries where state = 'open'").await, 0);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_is_being_created_is_deleted_with_its_account() {
    let site = Site::start().await;
    let mira = site.player("mira").await;
    let character = json!({ "name": "Mira Stormborn", "vocation": "Knight" });
    delete_beside(&site, &mira, "characters", mira.clone(), "/accounts/create-character", character).await;
    assert_eq!(site.count("select count(*) from characters where deleted_at is null").await, 0);
    site.finish().await;
}

/// Locks the table, sends a command that must write to it, and deletes the account. The lock ends when both wait.
async fn delete_beside(site: &Site, account: &Client, table: &str, sender: Client, path: &str, body: Value) {
    ask_for_deletion(account).await.result();
    let mut blocker = db::begin(&site.database).await.unwrap();
    let lock = format!("lock table {table} in share mode");
    sqlx::raw_sql(sqlx::AssertSqlSafe(lock)).execute(&mut *blocker).await.unwrap();
    let path = path.to_owned();
    let command = tokio::spawn(async move { sender.post(&path, body).await });
    wait_until("the command waits", async || waiting_transactions(site).await == 1).await;
    let unblock = async {
        wait_until("the deletion waits", async || waiting_transactions(site).await == 2).await;
        blocker.rollback().await.unwrap();
    };
    tokio::join!(delete_now(site, account.account_id), unblock);
    command.await.unwrap();
}

async fn waiting_transactions(site: &Site) -> i64 {
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    site.count(waiting).await
}
