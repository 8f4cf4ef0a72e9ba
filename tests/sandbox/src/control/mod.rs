//! The control API of the sandbox and its web pages: payers, fault injection, mails and lists for tests.

mod errors;
mod faults;
mod lists;
mod mails;
mod page;
mod payments;
mod signed;

use poem::{Route, get, post};

pub(crate) use self::page::{mails_page, mails_script, page_style, shared_script, show_page, show_script};

pub(crate) fn routes() -> Route {
    Route::new()
        .at("/pay", post(payments::pay))
        .at("/pay-static", post(payments::pay_static))
        .at("/reverse", post(payments::reverse))
        .at("/notify", post(payments::resend_notification))
        .at("/signed", post(signed::send_signed))
        .at("/faults", get(faults::read).put(faults::replace))
        .at("/faults/default", get(faults::read_default))
        .at("/charges", get(lists::charges))
        .at("/notifications", get(lists::notifications))
        .at("/mails", get(mails::list).delete(mails::clear))
        .at("/mails/:id", get(mails::read))
        .at("/mails/:id/source", get(mails::read_source))
}
