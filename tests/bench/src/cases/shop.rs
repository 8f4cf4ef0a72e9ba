//! Purchases and log-ins.

use std::sync::Arc;

use anyhow::ensure;
use guildhall_testkit::money::check_money;
use http::Method;
use serde_json::json;

use crate::{
    case::{Case, CaseOptions, CaseResult},
    load::{Call, LoadPlan, verify::verify},
    site::{BenchSite, Leader},
};

/// Each leader buys one piece of one offer after the other. Afterwards the ledger is checked. The keys are those of the rate, the median and
/// the 99th percentile.
///
/// # Errors
/// When a purchase fails or is lost, or the ledger is wrong.
pub(crate) async fn purchase(
    site: &BenchSite,
    options: CaseOptions,
    keys: [&'static str; 3],
) -> anyhow::Result<CaseResult> {
    const CLIENTS: usize = 64;
    let (leaders, offers): (Arc<[Leader]>, Arc<[i64]>) =
        (site.leaders.as_slice().into(), site.offers.as_slice().into());
    let call = move |client: usize, number: usize| {
        let turn = client + CLIENTS * number;
        let (leader, offer) = (&leaders[turn % leaders.len()], offers[turn % offers.len()]);
        Some(Call {
            method: Method::POST,
            path: "/shop/purchase".to_owned(),
            body: json!({ "character_name": leader.character, "lines": [{ "offer_id": offer, "quantity": 1 }] }),
            token: Some(leader.token.clone()),
            is_async: false,
        })
    };
    let result = options.load(CLIENTS).run(site.http.address(), call).await?;
    verify(site, Case::Purchase.name(), &result.entries).await?;
    let violations = check_money(&site.database).await?;
    ensure!(violations.is_empty(), "{}", violations.join("; "));
    Ok(CaseResult::of_load(&result, keys))
}

/// Accounts log in with their passwords. Argon2 is most of the work.
pub(super) async fn log_in(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    const CLIENTS: usize = 8;
    let password = site.password.clone();
    let accounts = site.leaders.len();
    let call = move |client: usize, number: usize| {
        let account = (client + CLIENTS * number) % accounts + 1;
        Some(Call {
            method: Method::POST,
            path: "/auth".to_owned(),
            body: json!({ "login": format!("bench{account}"), "password": password }),
            token: None,
            is_async: false,
        })
    };
    // A log-in takes no idempotency key.
    let load = LoadPlan { has_keys: false, ..options.load(CLIENTS) };
    let result = load.run(site.http.address(), call).await?;
    let failed = result.entries.iter().find(|entry| !entry.is_success());
    ensure!(failed.is_none(), "log-in: {failed:?}");
    Ok(CaseResult::of_load(&result, ["log-in", "log-in-p50", "log-in-p99"]))
}
