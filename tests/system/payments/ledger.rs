//! The rules of the ledger that Postgres itself enforces.

use serde_json::json;

use crate::support::{
    bank::Bank,
    community::StaffRole,
    payment::{paid_payment, payment_id},
};

#[tokio::test(flavor = "multi_thread")]
async fn records_of_money_cannot_be_changed_or_deleted() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let admin = site.player_with_role("boss", StaffRole::Admin).await;
    let payment = paid_payment(&bank, &site.player("mira").await).await;
    let refund = format!("/payments/{}/refund", payment_id(&payment));
    admin.post(&refund, json!({ "reason": "A mistake." })).await.result();
    for table in ["receipts", "refunds", "coin_transfers", "coin_entries", "audit_log", "delivery_events"] {
        let error = site.error(&format!("truncate {table} cascade")).await;
        assert!(error.ends_with(" is append-only"), "{table}: {error}");
    }
    for (table, column) in
        [("receipts", "amount"), ("coin_transfers", "payment_id"), ("coin_entries", "coins")]
    {
        let append_only = format!("{table} is append-only");
        assert_eq!(site.error(&format!("delete from {table}")).await, append_only);
        assert_eq!(site.error(&format!("update {table} set {column} = null")).await, append_only);
    }
    let settled = "a refund is settled once and never changed";
    assert_eq!(site.error("delete from refunds").await, settled);
    assert_eq!(site.error("update refunds set amount = amount - 1").await, settled);
    site.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transfer_must_be_balanced_and_covered() {
    let bank = Bank::start().await;
    let site = bank.site().await;
    let player = site.player("mira").await;
    paid_payment(&bank, &player).await;
    let transfer = |kind: &str, entries: &str| {
        format!(
            "with transfer as (insert into coin_transfers (kind) values ('{kind}') returning transfer_id)
             insert into coin_entries (transfer_id, book, account_id, coins)
             select transfer_id, book, account_id, coins
             from transfer, (values {entries}) as entries (book, account_id, coins)"
        )
    };
    let account_id = player.account_id;
    let unbalanced = "the entries of a transfer must sum to zero";
    for entries in [
        format!("('player', {account_id}, 5)"),
        format!("('player', {account_id}, 5), ('adjusted', null, -4)"),
    ] {
        assert_eq!(site.error(&transfer("adjustment", &entries)).await, unbalanced);
    }
    // The account has 1,100 coins. Only a refund may take more.
    let entries = format!("('player', {account_id}, -1101), ('spent', null, 1101)");
    let error = site.error(&transfer("purchase", &entries)).await;
    assert!(error.contains("coin_accounts_covered"), "{error}");
    site.assert_ledger_is_consistent().await;
    site.finish().await;
}
