//! Reads: cached responses, a response that has not changed, and a path without a route.

use anyhow::ensure;
use guildhall_testkit::http::HttpResponse;

use crate::{
    case::{Case, CaseOptions, CaseResult},
    site::BenchSite,
    wrk::{self, WrkResult},
};

/// The path of a guild that no other case changes.
pub(crate) fn guild_path(site: &BenchSite) -> String {
    let guild = &site.leaders[site.leaders.len() - 1].guild;
    format!("/guild/view/{}", guild.replace(' ', "%20"))
}

/// Reads a page from the cache.
pub(super) async fn cached(
    site: &BenchSite,
    case: Case,
    path: &str,
    options: CaseOptions,
) -> anyhow::Result<CaseResult> {
    // The first one loads it, the second one shows that it is not an error.
    for _ in 0..2 {
        get(site, path, 200).await?;
    }
    let result = wrk::run(&site.url(path), &[], options.seconds).await?;
    ensure!(result.error_responses == 0, "{path}: {} error responses", result.error_responses);
    Ok(case_result(case, result))
}

/// Reads a page that the client has already.
pub(super) async fn not_modified(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let path = guild_path(site);
    let etag = get(site, &path, 200).await?.header("etag").to_owned();
    ensure!(!etag.is_empty(), "no ETag");
    let expect_unchanged = async || {
        let response = site.http.get(&path).header("If-None-Match", &etag).send().await?;
        ensure!(response.status == 304, "{path}: {} instead of 304", response.status);
        anyhow::Ok(())
    };
    expect_unchanged().await?;
    let result = wrk::run(&site.url(&path), &[("If-None-Match", &etag)], options.seconds).await?;
    ensure!(result.error_responses == 0, "{} error responses", result.error_responses);
    expect_unchanged().await?;
    Ok(case_result(Case::NotModified, result))
}

/// Reads a path that does not exist.
pub(super) async fn no_route(site: &BenchSite, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let path = "/no-such-path";
    get(site, path, 404).await?;
    let result = wrk::run(&site.url(path), &[], options.seconds).await?;
    // wrk counts responses until its connections are closed, so both numbers differ slightly.
    ensure!(result.error_responses * 100 >= result.requests * 99, "some responses are not errors");
    Ok(case_result(Case::NoRoute, result))
}

fn case_result(case: Case, result: WrkResult) -> CaseResult {
    CaseResult { operations: result.requests, figures: vec![(case.name(), result.per_second)] }
}

/// The body of the guild view, which the floors serve.
///
/// # Errors
/// When the site does not respond.
pub(crate) async fn guild_body(site: &BenchSite) -> anyhow::Result<Vec<u8>> {
    Ok(get(site, &guild_path(site), 200).await?.body.to_vec())
}

/// The response to a read, which must have this status.
async fn get(site: &BenchSite, path: &str, status: u16) -> anyhow::Result<HttpResponse> {
    let response = site.http.get(path).send().await?;
    ensure!(response.status == status, "{path}: {} instead of {status}", response.status);
    Ok(response)
}
