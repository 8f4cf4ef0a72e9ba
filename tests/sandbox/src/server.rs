//! All routes of the sandbox.

use std::sync::Arc;

use poem::{Endpoint, EndpointExt, Route, get, handler, post};

use crate::{api, control, http::error_response::into_error_response, oauth, state::SandboxState};

pub(crate) fn routes(state: &Arc<SandboxState>) -> impl Endpoint + use<> {
    let mut routes = Route::new()
        .at("/", get(control::show_page))
        .at("/page.js", get(control::show_script))
        .at("/mails", get(control::mails_page))
        .at("/mails.js", get(control::mails_script))
        .at("/shared.js", get(control::shared_script))
        .at("/page.css", get(control::page_style))
        .at("/healthz", get(health))
        .at("/oauth/token", post(oauth::issue_token))
        .nest("/sandbox", control::routes())
        .nest("/api/v2", api::routes(state));
    // The path prefix differs between banks, so API Pix is also available without one.
    for path in ["/cob", "/pix", "/webhook"] {
        routes = routes.nest_no_strip(path, api::routes(state));
    }
    routes.catch_all_error(into_error_response).data(state.clone())
}

#[handler]
fn health() -> &'static str {
    "ok"
}
