//! HTTP requests to the receiver.

use std::time::Duration;

use reqwest::{RequestBuilder, StatusCode, Url, header::CONTENT_TYPE};

use crate::config::AppendPix;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Sends JSON once. Returns the status of the response, whatever it is, or the transport error.
pub(crate) async fn post_json(request: RequestBuilder, json: &str) -> Result<StatusCode, String> {
    let request =
        request.timeout(REQUEST_TIMEOUT).header(CONTENT_TYPE, "application/json").body(json.to_owned());
    let response = request.send().await;
    response
        .map(|response| response.status())
        .map_err(|error| format!("{:#}", anyhow::Error::from(error.without_url())))
}

/// Returns the URL to which notifications of a webhook go.
pub(super) fn notification_url(webhook: &str, append: AppendPix) -> String {
    match (append, Url::parse(webhook)) {
        (AppendPix::Path, Ok(mut url)) => {
            let path = format!("{}/pix", url.path().trim_end_matches('/'));
            url.set_path(&path);
            url.into()
        }
        _ => format!("{webhook}/pix"),
    }
}

/// Returns the URL without its query, which may hold a secret. Only this form may be logged.
pub(super) fn without_query(url: &str) -> &str {
    url.split_once('?').map_or(url, |(address, _)| address)
}
