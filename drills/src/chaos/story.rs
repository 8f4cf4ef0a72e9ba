//! All that is known of an operation, a payment or a delivery: what the journal, the logs and the tables say.

use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use super::site::Site;
use crate::stack::Stack;

/// Lines of each source that are told, at most.
const MOST: usize = 30;

/// What names the first id that is in a text (an operation's, an idempotency key, …), and what the cell did last that is
/// in it. Empty when there is neither.
pub(super) async fn of(site: &Site, text: &str) -> Vec<String> {
    let mut story = Vec::new();
    let mut words = text.split(|c: char| !c.is_ascii_hexdigit() && c != '-');
    let mut id = words.find_map(|word| word.parse().ok());
    if let Some(cell) = cell(text) {
        let lines = site.journal.lines_with(&[&format!("Drill {cell} "), &format!("Drill%20{cell}%20")]);
        let lines = lines.unwrap_or_default();
        id = id.or_else(|| lines.iter().rev().find_map(|line| changed(line)));
        let last = lines.split_at(lines.len().saturating_sub(MOST)).1.to_vec();
        story.extend(titled("cell", Ok(last)));
    }
    let Some(id) = id else {
        return story;
    };
    let id = site.journal.operation(id).unwrap_or(id);
    story.extend(titled("journal", journal(site, id)));
    story.extend(titled("logs", logs(&site.stack, id).await));
    story.extend(titled("rows", rows(&site.database, id).await));
    story
}

/// "Bc" of "Drill Bc Dog", and of "drill_bc_0".
fn cell(text: &str) -> Option<String> {
    let (_, after) = text.split_once("Drill ").or_else(|| text.split_once("drill_"))?;
    let name = after.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    Some(name.get(..1)?.to_uppercase() + name.get(1..)?)
}

/// The key of a request to change something.
fn changed(line: &str) -> Option<Uuid> {
    let line: Value = serde_json::from_str(line).ok()?;
    let is_change = line["sent"].as_str().is_some_and(|sent| !sent.starts_with("GET "));
    if is_change { line["key"].as_str()?.parse().ok() } else { None }
}

fn titled(title: &str, lines: anyhow::Result<Vec<String>>) -> Vec<String> {
    let lines = lines.unwrap_or_else(|error| vec![format!("cannot be read: {error:#}")]);
    lines.into_iter().take(MOST).map(|line| format!("{title}: {line}")).collect()
}

/// What was asked and answered: under this id, or under the key of the request that it answered.
fn journal(site: &Site, id: Uuid) -> anyhow::Result<Vec<String>> {
    let key = site.journal.told().get(&id).map_or(id, |told| told.key);
    site.journal.lines_with(&[&id.to_string(), &key.to_string()])
}

async fn logs(stack: &Stack, id: Uuid) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for process in stack.processes(None) {
        let name = process.name();
        let log = tokio::fs::read(stack.file(&format!("{name}.log"))).await?;
        let log = String::from_utf8_lossy(&log);
        lines.extend(
            log.lines().filter(|line| line.contains(&id.to_string())).map(|line| format!("{name}: {line}")),
        );
    }
    Ok(lines)
}

/// Of every table that has it in a column.
async fn rows(database: &PgPool, id: Uuid) -> anyhow::Result<Vec<String>> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "select quote_ident(table_name), quote_ident(column_name) from information_schema.columns
         where table_schema = 'public' and data_type = 'uuid' order by 1, 2",
    )
    .fetch_all(database)
    .await?;
    let mut lines = Vec::new();
    for (table, column) in columns {
        let query = format!("select to_jsonb({table})::text from {table} where {column} = $1 limit 30");
        let rows: Vec<String> =
            sqlx::query_scalar(sqlx::AssertSqlSafe(query)).bind(id).fetch_all(database).await?;
        lines.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
    }
    Ok(lines)
}
