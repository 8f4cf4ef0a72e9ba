//! Evidence for a violation: lines of the journal and the logs, and rows of all tables, about one operation.

use std::io::ErrorKind;

use serde_json::Value;
use sqlx::PgPool;
use uuid::Uuid;

use super::site::ChaosSite;
use crate::{process::Process, stack::Stack};

/// The number of lines of each source.
const MAX_LINES: usize = 30;

/// Collects lines about the first id in the text (of an operation, an idempotency key, …) and the last lines of the group
/// in it. Empty when the text has neither.
pub(super) async fn collect(site: &ChaosSite, text: &str) -> Vec<String> {
    let mut evidence = Vec::new();
    let mut words = text.split(|c: char| !c.is_ascii_hexdigit() && c != '-');
    let mut id = words.find_map(|word| word.parse().ok());
    if let Some(group) = group_name(text) {
        let lines = last_lines_of_group(site, &group).unwrap_or_default();
        id = id.or_else(|| lines.iter().rev().find_map(|line| key_of_change(line)));
        evidence.extend(with_title("group", Ok(lines)));
    }
    let Some(id) = id else {
        return evidence;
    };
    let id = site.journal.operation_of(id).unwrap_or(id);
    evidence.extend(with_title("journal", journal_lines(site, id)));
    evidence.extend(with_title("log", log_lines(&site.stack, id).await));
    evidence.extend(with_title("row", rows(&site.database, id).await));
    evidence
}

/// The last requests of a group, with their responses.
fn last_lines_of_group(site: &ChaosSite, group: &str) -> anyhow::Result<Vec<String>> {
    let account = format!("\"account\":\"drill_{}_", group.to_lowercase());
    let words = [&*account, &format!("Drill {group} "), &format!("Drill%20{group}%20")];
    let requests = last(site.journal.lines_with(&words)?);
    // The line of a response has only the key of its request.
    let keys: Vec<String> = requests.iter().filter_map(|line| key(line)).map(|key| key.to_string()).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    Ok(last(site.journal.lines_with(&keys)?))
}

fn last(mut lines: Vec<String>) -> Vec<String> {
    lines.split_off(lines.len().saturating_sub(MAX_LINES))
}

/// "Bc" in "Drill Bc Dog" and in "drill_bc_0".
fn group_name(text: &str) -> Option<String> {
    let (_, after) = text.split_once("Drill ").or_else(|| text.split_once("drill_"))?;
    let name = after.split(|c: char| !c.is_ascii_alphabetic()).next()?;
    Some(name.get(..1)?.to_uppercase() + name.get(1..)?)
}

/// The idempotency key in a line of a change.
fn key_of_change(line: &str) -> Option<Uuid> {
    let value: Value = serde_json::from_str(line).ok()?;
    let is_change = value["request"].as_str().is_some_and(|request| !request.starts_with("GET "));
    if is_change { key(line) } else { None }
}

fn key(line: &str) -> Option<Uuid> {
    let line: Value = serde_json::from_str(line).ok()?;
    line["key"].as_str()?.parse().ok()
}

fn with_title(title: &str, lines: anyhow::Result<Vec<String>>) -> Vec<String> {
    let lines = lines.unwrap_or_else(|error| vec![format!("cannot be read: {error:#}")]);
    lines.into_iter().take(MAX_LINES).map(|line| format!("{title}: {line}")).collect()
}

/// The lines with this id, or with the key of its request.
fn journal_lines(site: &ChaosSite, id: Uuid) -> anyhow::Result<Vec<String>> {
    let key = site.journal.outcomes().get(&id).map_or(id, |reported| reported.key);
    site.journal.lines_with(&[&id.to_string(), &key.to_string()])
}

async fn log_lines(stack: &Stack, id: Uuid) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for process in stack.processes(None).chain([Process::ADDITIONAL_WORKER]) {
        let name = process.name();
        let log = match tokio::fs::read(stack.file(&format!("{name}.log"))).await {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            log => log?,
        };
        let log = String::from_utf8_lossy(&log);
        lines.extend(
            log.lines().filter(|line| line.contains(&id.to_string())).map(|line| format!("{name}: {line}")),
        );
    }
    Ok(lines)
}

/// The rows of all tables that have the id in a column.
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
