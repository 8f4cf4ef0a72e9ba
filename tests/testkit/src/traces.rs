//! The rows of all tables that have a text, such as the name of a deleted person.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, PgPool};

/// The tables with rows that have the text, and an example of each. Upper and lower case do not matter. Bytes are searched, too.
///
/// # Errors
/// When the database does not respond.
pub async fn find(database: &PgPool, text: &str) -> sqlx::Result<BTreeMap<String, String>> {
    let tables: Vec<String> = sqlx::query_scalar(
        "select table_name::text from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'",
    )
    .fetch_all(database)
    .await?;
    let mut traces = BTreeMap::new();
    for table in tables {
        let query = format!(
            "select row_text from (select to_jsonb(t)::text as row_text from {table} t) as rows
             where row_text ilike '%' || $1 || '%' or row_text ilike '%' || encode($1::bytea, 'hex') || '%' limit 1"
        );
        let row: Option<String> =
            sqlx::query_scalar(AssertSqlSafe(query)).bind(text).fetch_optional(database).await?;
        traces.extend(row.map(|row| (table, row)));
    }
    Ok(traces)
}
