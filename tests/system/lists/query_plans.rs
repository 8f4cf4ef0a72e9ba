//! The plans of the queries that an api executes, as Postgres reports them.

use std::{
    fmt::Debug,
    sync::{Mutex, Once},
};

use serde_json::Value;
use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, filter::Targets, layer::Context, prelude::*};

use crate::support::{
    site::Site,
    wait::{wait_for, wait_until},
};

/// The target of messages that Postgres sends beside a result.
const NOTICES: &str = "sqlx::postgres::notice";

/// The notices of all databases that report plans. Only one test has such a database.
static REPORTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct NoticeLayer;

impl<S: Subscriber> Layer<S> for NoticeLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut MessageReader);
    }
}

struct MessageReader;

impl Visit for MessageReader {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == "message" {
            REPORTED.lock().unwrap().push(value.to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            REPORTED.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

/// Lets Postgres report the plan of each query on new connections to the site's database.
pub(super) async fn report_plans(site: &Site) {
    static START: Once = Once::new();
    START.call_once(|| {
        let filter = Targets::new().with_target(NOTICES, tracing::Level::INFO);
        tracing_subscriber::registry().with(NoticeLayer.with_filter(filter)).init();
    });
    let settings = [
        ("session_preload_libraries", "auto_explain"),
        ("auto_explain.log_min_duration", "0"),
        ("auto_explain.log_analyze", "on"),
        ("auto_explain.log_timing", "off"),
        ("auto_explain.log_format", "json"),
        ("auto_explain.log_level", "notice"),
    ];
    let name = &site.servers.namespace;
    for (setting, value) in settings {
        site.execute(&format!(r#"alter database "{name}" set {setting} = '{value}'"#)).await;
    }
}

/// The plan of a query with the numbers of its execution.
pub(super) struct QueryPlan {
    pub(super) query: String,
    plan: Value,
}

impl QueryPlan {
    fn parse(notice: &str) -> Option<Self> {
        let report: Value = serde_json::from_str(&notice[notice.find('{')?..]).ok()?;
        Some(Self { query: report["Query Text"].as_str()?.to_owned(), plan: report["Plan"].clone() })
    }

    fn is_page(&self) -> bool {
        self.query.contains(" limit $") && self.query.contains(" offset $")
    }

    pub(super) fn is_count(&self) -> bool {
        self.query.trim_start().starts_with("select count(*)")
    }

    /// The number of rows and index entries that it has read. A search that found none counts as one.
    pub(super) fn rows_read(&self) -> u64 {
        rows_read(&self.plan)
    }
}

fn rows_read(node: &Value) -> u64 {
    let number = |name: &str| node[name].as_f64().unwrap_or_default();
    let is_scan = node.get("Relation Name").is_some() || node.get("Index Name").is_some();
    let rows =
        number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Index Recheck");
    let own = if is_scan { (rows.max(1.0) * number("Actual Loops")) as u64 } else { 0 };
    own + node["Plans"].as_array().into_iter().flatten().map(rows_read).sum::<u64>()
}

/// Forgets the plans of earlier requests.
pub(super) fn forget() {
    REPORTED.lock().unwrap().clear();
}

/// The plan of a query with this text.
pub(super) async fn of_query(text: &str) -> QueryPlan {
    wait_for("Postgres reports the plan", async || {
        let reported = REPORTED.lock().unwrap();
        let mut plans = reported.iter().filter_map(|notice| QueryPlan::parse(notice));
        plans.find(|plan| plan.query.contains(text))
    })
    .await
}

/// The plans of a list's page, and of its count if there is one.
pub(super) async fn of_page(has_count: bool) -> Vec<QueryPlan> {
    let list_plans = || -> Vec<QueryPlan> {
        let reported = REPORTED.lock().unwrap();
        let plans = reported.iter().filter_map(|notice| QueryPlan::parse(notice));
        plans.filter(|plan| plan.is_page() || plan.is_count()).collect()
    };
    wait_until("Postgres reports the plans", async || {
        let plans = list_plans();
        plans.iter().any(QueryPlan::is_page) && plans.iter().any(QueryPlan::is_count) == has_count
    })
    .await;
    list_plans()
}
