//! Whether a page of the site itself has sent a request.

use guildhall_common::platform::site_url::{Origin, SiteUrl};
use poem::{
    Request,
    http::{HeaderName, header},
};

use crate::http::{api_refusal::ApiRefusal, problem::Problem};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Refuses the request of a page of another origin, and each request without an origin. Browsers add both headers, and no
/// script can change them.
///
/// # Errors
/// 403.
pub(crate) fn require_own_page(request: &Request, site_url: Option<&SiteUrl>) -> Result<(), Problem> {
    let is_own = single(request, header::ORIGIN).and_then(Origin::parse).is_some_and(|origin| {
        let is_host = single(request, header::HOST).is_some_and(|host| origin.has_host(host));
        is_host || site_url.is_some_and(|site| *site.origin() == origin)
    });
    let is_same_origin = request.headers().get_all(FETCH_SITE).iter().all(|site| site == "same-origin");
    if is_own && is_same_origin {
        return Ok(());
    }
    Err(ApiRefusal::CrossOrigin.into())
}

/// The value of a header that occurs once.
fn single(request: &Request, name: HeaderName) -> Option<&str> {
    let mut values = request.headers().get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok(),
        _ => None,
    }
}
