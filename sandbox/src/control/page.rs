//! The web page of the sandbox.

use poem::{IntoResponse, handler, web::Html};

/// `GET /`
#[handler]
pub(crate) fn show_page() -> impl IntoResponse {
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";
    Html(include_str!("page.html")).with_header("Content-Security-Policy", policy)
}
