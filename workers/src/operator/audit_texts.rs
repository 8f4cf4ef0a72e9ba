//! Erases texts that people typed. The audit entries and the records of money stay, with ids and numbers.

use anyhow::{Context, ensure};
use guildhall_common::{
    contract::account::{AccountId, AccountName},
    platform::db,
};
use serde_json::json;

use crate::{
    account::{erase_texts, erase_texts_of},
    app::App,
    engine::audit::Entry,
};

/// Erases the texts of audit entries, and their copies in other tables. Returns the number of erased texts.
///
/// # Errors
/// An entry does not exist.
pub async fn erase_entries(app: &App, audit_ids: &[i64]) -> anyhow::Result<u64> {
    let mut transaction = db::begin(&app.database).await?;
    for audit_id in audit_ids {
        let found = sqlx::query!("select from audit_log where audit_id = $1", audit_id);
        let found = found.fetch_optional(&mut *transaction).await?;
        ensure!(found.is_some(), "there is no audit entry {audit_id}");
    }
    let erased = erase_texts(&mut transaction, audit_ids).await?;
    let details = json!({ "audit_ids": audit_ids, "texts": erased });
    Entry::new("audit.erase_entries", details).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(erased)
}

/// Erases the texts of all audit entries by an account or about it. Returns the number of erased texts.
///
/// # Errors
/// The account does not exist.
pub async fn erase_account(app: &App, name: &AccountName) -> anyhow::Result<u64> {
    let mut transaction = db::begin(&app.database).await?;
    let account_id = sqlx::query_scalar!(
        r#"select account_id as "account_id: AccountId" from accounts where name_key = $1"#,
        name.key()
    )
    .fetch_optional(&mut *transaction)
    .await?
    .with_context(|| format!("there is no account {}", &**name))?;
    let erased = erase_texts_of(&mut transaction, account_id).await?;
    let details = json!({ "account_id": account_id, "texts": erased });
    Entry::new("audit.erase_account", details).write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(erased)
}
