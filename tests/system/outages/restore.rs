//! A restore of the database to an earlier state, while commands are queued and responses are cached.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Output,
};

use guildhall_common::{contract::payment::PaymentCommand, platform::config::ServerSettings};
use http::Method;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use uuid::Uuid;

use crate::support::{
    binaries::{program, repository, run},
    client::{Client, send},
    community::StaffRole,
    operation::wait_until_completed,
    options::Options,
    payment::coin_balance,
    site::Site,
    wait::{HANG_LIMIT, wait_until},
};

/// What the site before the restore leaves to the site after it.
struct Left {
    servers: ServerSettings,
    backup: PathBuf,
    player: Client,
    admin: Client,
    game_token: String,
    /// The operations of a command that was only queued, and of one that was applied before the backup.
    queued: Value,
    kept: Value,
}

fn backup(site: &ServerSettings, action: &str, file: &Path) -> Output {
    let mut command = program(&repository().join("deploy/backup"), site);
    run(command.arg(action).arg(file), "")
}

/// Adjusts the coins of the player while no worker runs. Returns the operation.
async fn queue_adjustment(admin: &Client, player: &Client, coins: i64) -> Value {
    let body = json!({ "account_id": player.account_id, "coins": coins, "reason": "A test." });
    let request = admin.request(Method::POST, "/admin/coins/adjust").header("Prefer", "respond-async");
    let accepted = send(request.json(&body)).await;
    assert_eq!(accepted.status, 202, "{accepted:?}");
    accepted.body["operation_id"].clone()
}

/// Applies an adjustment, and returns its operation and its message.
async fn apply_adjustment(site: &mut Site, admin: &Client, player: &Client, coins: i64) -> (Value, Vec<u8>) {
    site.stop_workers().await;
    let operation = queue_adjustment(admin, player, coins).await;
    let message = site.take_command::<PaymentCommand>().await;
    site.publish_command::<PaymentCommand>(message.clone()).await;
    site.start_workers();
    assert_eq!(wait_until_completed(admin, &operation).await["status"], "applied");
    (operation, message)
}

async fn category_names(visitor: &Client) -> Value {
    let list = visitor.get("/shop/category/list").await.ok();
    list["items"].as_array().unwrap().iter().map(|category| category["name"].clone()).collect()
}

async fn use_site() -> Left {
    let mut site = Site::start().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let player = site.player("mira").await;
    let category = json!({ "name": "Potions" });
    let category = admin.post("/shop/category/create", category).await.result();
    let (kept, kept_message) = apply_adjustment(&mut site, &admin, &player, 100).await;
    let file = env::temp_dir().join(format!("guildhall-{}.dump", Uuid::now_v7()));
    let created = backup(&site.servers, "create", &file);
    assert!(created.status.success(), "{created:?}");

    let update = json!({
        "category_id": category["category_id"], "name": "Lost", "description": "", "position": 0, "hidden": false,
        "expected_version": 1
    });
    admin.put("/shop/category/update", update).await.result();
    // The first read fills the cache.
    for _ in 0..2 {
        assert_eq!(category_names(&site.visitor()).await, json!(["Lost"]));
    }
    apply_adjustment(&mut site, &admin, &player, 10).await;
    let (_, message) = apply_adjustment(&mut site, &admin, &player, 1000).await;
    assert_eq!(coin_balance(&player).await, 1110);
    site.stop_workers().await;
    // The broker delivers these again: the workers died before the acknowledgement.
    site.publish_command::<PaymentCommand>(message).await;
    site.publish_command::<PaymentCommand>(kept_message).await;
    let queued = queue_adjustment(&admin, &player, 1).await;

    // While a service runs, nothing is restored.
    let refused = backup(&site.servers, "restore", &file);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && error.contains("Stop all of them first"), "{error}");
    assert_eq!(coin_balance(&player).await, 1110);
    let game_token = site.game_server().token().to_owned();
    Left { servers: site.servers.clone(), backup: file, player, admin, game_token, queued, kept }
}

async fn restore(left: &Left) {
    let truncated = left.backup.with_extension("truncated");
    let bytes = fs::read(&left.backup).unwrap();
    fs::write(&truncated, &bytes[..bytes.len() - 2000]).unwrap();
    let database = Site::connect_to(&left.servers);
    let services = "select count(*) from pg_stat_activity
                    where datname = current_database() and application_name like 'guildhall-%'";
    wait_until("api and workers are disconnected", async || {
        sqlx::query_scalar::<_, i64>(services).fetch_one(&database).await.unwrap() == 0
    })
    .await;
    // A damaged backup changes nothing.
    let failed = backup(&left.servers, "restore", &truncated);
    assert!(!failed.status.success(), "{failed:?}");
    let lost = "select count(*) from shop_categories where name = 'Lost'";
    assert_eq!(sqlx::query_scalar::<_, i64>(lost).fetch_one(&database).await.unwrap(), 1);

    let restored = backup(&left.servers, "restore", &left.backup);
    assert!(restored.status.success(), "{restored:?}");
    // A restore with another tool ends with this command.
    let last_id = async || {
        let query = "select last_value from shop_categories_category_id_seq";
        sqlx::query_scalar::<_, i64>(query).fetch_one(&database).await.unwrap()
    };
    let restored_id = last_id().await;
    let skipped = run(program(&repository().join("deploy/backup"), &left.servers).arg("skip-ids"), "");
    assert!(skipped.status.success(), "{skipped:?}");
    assert!(restored_id >= 1_000_000 && last_id().await == restored_id + 1_000_000);
    let output = String::from_utf8(restored.stdout).unwrap();
    assert!(output.contains(".payments\t3\n"), "{output}");
    fs::remove_file(&left.backup).unwrap();
    fs::remove_file(&truncated).unwrap();
}

async fn check_site(left: Left) {
    let site = Site::start_on(left.servers, &Options::default(), Some(left.game_token)).await;
    let [player, admin] = [&left.player, &left.admin].map(|client| site.visitor().as_client(client));
    assert_eq!(category_names(&site.visitor()).await, json!(["Potions"]));
    for operation in [&left.queued, &left.kept] {
        assert_eq!(wait_until_completed(&admin, operation).await["status"], "applied");
    }
    // 100 is in the backup and its message is recognised. 10 is lost. The messages of 1000 and 1 are applied.
    wait_until("the queued commands are applied", async || coin_balance(&player).await == 1101).await;
    let adjusted = "select count(*) from operations where command = 'coins.adjust'";
    assert_eq!(site.count(adjusted).await, 3);
    // Ids that were given after the backup are not given again.
    let created = admin.post("/shop/category/create", json!({ "name": "New" })).await.result();
    assert!(created["category_id"].as_i64().unwrap() > 1_000_000, "{created}");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}

/// Each part runs in a runtime of its own, whose end stops all tasks of the api and the workers, as the end of a process does.
#[test]
fn a_restored_site_shows_no_lost_change_and_applies_queued_commands_once() {
    let [before, meanwhile, after] = [(); 3].map(|()| Runtime::new().unwrap());
    let left = before.block_on(use_site());
    before.shutdown_timeout(HANG_LIMIT);
    meanwhile.block_on(restore(&left));
    meanwhile.shutdown_timeout(HANG_LIMIT);
    after.block_on(check_site(left));
}
