//! The web page of the sandbox.

use poem::{IntoResponse, handler, web::Html};

/// `GET /`
#[handler]
pub(crate) fn show_page() -> impl IntoResponse {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'";
    Html(include_str!("page.html")).with_header("Content-Security-Policy", policy)
}

/// `GET /page.js`
#[handler]
pub(crate) fn show_script() -> impl IntoResponse {
    include_str!("page.js").with_content_type("text/javascript; charset=utf-8")
}
