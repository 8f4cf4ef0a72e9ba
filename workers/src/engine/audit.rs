//! The audit log: what administrators and operators did.
//!
//! An entry is append-only and names people by id. Texts stand in `audit_texts`, where an operator can erase them.

use guildhall_common::contract::{actor::AccountId, command::OperationId};
use serde_json::{Value, json};
use sqlx::PgConnection;

/// The columns of a row that follow from others, and its times. They are no changes of their own.
const DERIVED: [&str; 6] =
    ["name_key", "slug", "summary_is_derived", "created_at", "updated_at", "announced_at"];

/// An audit entry.
pub(crate) struct Entry {
    action: &'static str,
    account_id: Option<AccountId>,
    operation_id: Option<OperationId>,
    details: Value,
    changes: Vec<Value>,
    texts: Vec<Text>,
}

/// A value that is or contains text. Missing: there was none.
struct Text {
    field: String,
    before: Option<Value>,
    after: Option<Value>,
}

impl Entry {
    /// An entry of an operator at the command line. The details are an object of ids, numbers and codes, without texts.
    /// `account_id` is the account that the entry is about, and `author_id` the author of a post.
    pub(crate) fn new(action: &'static str, details: Value) -> Self {
        Self { action, account_id: None, operation_id: None, details, changes: vec![], texts: vec![] }
    }

    /// Adds a text about this action, such as its reason.
    pub(crate) fn text(mut self, field: &str, text: &str) -> Self {
        self.add(field, None, Some(text.into()));
        self
    }

    /// Adds each column that differs between two states of a row. A row that did not exist before, or does not exist
    /// any more, is null.
    pub(crate) fn row(mut self, before: &Value, after: &Value) -> Self {
        let fields = if before.is_object() { before } else { after };
        for field in fields.as_object().into_iter().flat_map(|row| row.keys()) {
            let is_known = DERIVED.contains(&field.as_str()) || self.details.get(field).is_some();
            let value = |row: &Value| row.get(field).filter(|value| !value.is_null()).cloned();
            let (before, after) = (value(before), value(after));
            if !is_known && before != after {
                self.add(field, before, after);
            }
        }
        self
    }

    /// Adds a value that changed.
    pub(crate) fn add(&mut self, field: &str, before: Option<Value>, after: Option<Value>) {
        if [&before, &after].into_iter().flatten().any(contains_text) {
            self.texts.push(Text { field: field.to_owned(), before, after });
        } else {
            self.changes.push(json!({ "field": field, "before": before, "after": after }));
        }
    }

    /// Names the account and the operation of a command.
    pub(crate) fn of_command(self, account_id: Option<AccountId>, operation_id: OperationId) -> Self {
        Self { account_id, operation_id: Some(operation_id), ..self }
    }

    /// Writes the entry, in the transaction of the action.
    ///
    /// # Errors
    /// Those of the database.
    pub(crate) async fn write(self, database: &mut PgConnection) -> sqlx::Result<()> {
        let mut details = self.details;
        if !self.changes.is_empty() {
            details["changes"] = self.changes.into();
        }
        let audit_id = sqlx::query_scalar!(
            "insert into audit_log (account_id, action, details, operation_id) values ($1, $2, $3, $4)
             returning audit_id",
            self.account_id as _,
            self.action,
            details,
            self.operation_id.map(OperationId::get),
        )
        .fetch_one(&mut *database)
        .await?;
        for text in self.texts {
            sqlx::query!(
                "insert into audit_texts (audit_id, field, before, after) values ($1, $2, $3, $4)",
                audit_id,
                text.field,
                text.before,
                text.after,
            )
            .execute(&mut *database)
            .await?;
        }
        Ok(())
    }
}

/// Whether a value is or contains a string. Only such values may be words of people.
fn contains_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(items) => items.iter().any(contains_text),
        Value::Object(fields) => fields.values().any(contains_text),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
