//! Reads: cached responses, a response that has not changed, and a path without a route.

use anyhow::{Context, ensure};
use reqwest::{Client, Response, StatusCode, header};

use crate::{
    case::{Case, CaseOptions, CaseResult},
    site::Site,
    wrk::{self, WrkResult},
};

/// The path of a guild that no other case changes.
pub(crate) fn guild_path(site: &Site) -> String {
    let guild = &site.leaders[site.leaders.len() - 1].guild;
    format!("/guild/view/{}", guild.replace(' ', "%20"))
}

/// Reads a page from the cache.
pub(super) async fn cached(
    site: &Site,
    case: Case,
    path: &str,
    options: CaseOptions,
) -> anyhow::Result<CaseResult> {
    let url = site.url(path);
    // The first one loads it, the second one shows that it is not an error.
    for _ in 0..2 {
        expect(get(&url, None).await?, StatusCode::OK)?;
    }
    let result = wrk::run(&url, &[], options.seconds).await?;
    ensure!(result.error_responses == 0, "{path}: {} error responses", result.error_responses);
    Ok(case_result(case, result))
}

/// Reads a page that the client has already.
pub(super) async fn not_modified(site: &Site, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let url = site.url(&guild_path(site));
    let etag = get(&url, None).await?.headers().get(header::ETAG).context("no ETag")?.to_str()?.to_owned();
    expect(get(&url, Some(&etag)).await?, StatusCode::NOT_MODIFIED)?;
    let result = wrk::run(&url, &[("If-None-Match", &etag)], options.seconds).await?;
    ensure!(result.error_responses == 0, "{} error responses", result.error_responses);
    expect(get(&url, Some(&etag)).await?, StatusCode::NOT_MODIFIED)?;
    Ok(case_result(Case::NotModified, result))
}

/// Reads a path that does not exist.
pub(super) async fn no_route(site: &Site, options: CaseOptions) -> anyhow::Result<CaseResult> {
    let url = site.url("/no-such-path");
    expect(get(&url, None).await?, StatusCode::NOT_FOUND)?;
    let result = wrk::run(&url, &[], options.seconds).await?;
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
pub(crate) async fn guild_body(site: &Site) -> anyhow::Result<Vec<u8>> {
    let response = get(&site.url(&guild_path(site)), None).await?.error_for_status()?;
    Ok(response.bytes().await?.to_vec())
}

async fn get(url: &str, etag: Option<&str>) -> anyhow::Result<Response> {
    let mut request = Client::builder().no_proxy().build()?.get(url);
    if let Some(etag) = etag {
        request = request.header(header::IF_NONE_MATCH, etag);
    }
    Ok(request.send().await?)
}

fn expect(response: Response, status: StatusCode) -> anyhow::Result<()> {
    ensure!(response.status() == status, "{}: {} instead of {status}", response.url(), response.status());
    Ok(())
}
