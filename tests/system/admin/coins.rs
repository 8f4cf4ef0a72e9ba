//! Coins that an administrator gives and takes, and the audit log of it.

use serde_json::{Value, json};

use crate::support::{community::StaffRole, site::Site};

#[tokio::test(flavor = "multi_thread")]
async fn an_administrator_adjusts_coins_and_the_audit_log_has_the_reason() {
    let site = Site::start().await;
    let (player, admin) = (site.player("mira").await, site.player_with_role("boss", StaffRole::Admin).await);
    let body =
        |coins: i64| json!({ "account_id": player.account_id, "coins": coins, "reason": "A contest." });
    player.post("/admin/coins/adjust", body(5)).await.problem(403, "role_missing");
    admin.post("/admin/coins/adjust", body(0)).await.problem(409, "nothing_to_adjust");
    assert_eq!(admin.post("/admin/coins/adjust", body(100)).await.result()["balance"], 100);
    admin.post("/admin/coins/adjust", body(-101)).await.problem(409, "not_enough_coins");
    assert_eq!(admin.post("/admin/coins/adjust", body(-100)).await.result()["balance"], 0);
    let visitor = json!({ "account_id": 999, "coins": 1, "reason": "Nobody." });
    admin.post("/admin/coins/adjust", visitor).await.problem(404, "account_not_found");
    let entries = admin.get("/admin/audit").await.ok();
    let entry = &entries["items"][0];
    assert_eq!((&entry["action"], &entry["account_id"]), (&json!("coins.adjust"), &json!(admin.account_id)));
    assert_eq!(entry["details"]["coins"], -100);
    // Actions of an operator at the command line are in the log too, without an account.
    let grant =
        entries["items"].as_array().unwrap().iter().find(|entry| entry["action"] == "account.grant").unwrap();
    assert_eq!((&grant["account_id"], &grant["details"]["role"]), (&Value::Null, &json!("admin")));
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
