//! The web pages of the sandbox.

use poem::{IntoResponse, handler, web::Html};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// `GET /`
#[handler]
pub(crate) fn show_page() -> impl IntoResponse {
    let policy = "default-src 'none'; style-src 'self'; img-src data:; script-src 'self'; connect-src 'self'";
    Html(include_str!("page.html")).with_header("Content-Security-Policy", policy)
}

/// `GET /page.js`
#[handler]
pub(crate) fn show_script() -> impl IntoResponse {
    include_str!("page.js").with_content_type(JAVASCRIPT)
}

/// `GET /mails`
#[handler]
pub(crate) fn mails_page() -> impl IntoResponse {
    // The frame with the HTML of a mail inherits this policy. A mail has styles of its own, but the frame runs no
    // script and loads nothing.
    let policy = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; script-src 'self'; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'";
    Html(include_str!("mails.html"))
        .with_header("Content-Security-Policy", policy)
        .with_header("Referrer-Policy", "no-referrer")
}

/// `GET /mails.js`
#[handler]
pub(crate) fn mails_script() -> impl IntoResponse {
    include_str!("mails.js").with_content_type(JAVASCRIPT)
}

/// `GET /shared.js`: the part of the scripts that both pages use.
#[handler]
pub(crate) fn shared_script() -> impl IntoResponse {
    include_str!("shared.js").with_content_type(JAVASCRIPT)
}

/// `GET /page.css`
#[handler]
pub(crate) fn page_style() -> impl IntoResponse {
    include_str!("page.css").with_content_type("text/css; charset=utf-8")
}
