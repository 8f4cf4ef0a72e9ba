//! The control API of the sandbox and its web page: payers, fault injection and lists for tests.

mod errors;
mod faults;
mod lists;
mod page;
mod payments;
mod signed;

use poem::{Route, get, post};

pub(crate) use self::page::{show_page, show_script};

pub(crate) fn routes() -> Route {
    Route::new()
        .at("/pay", post(payments::pay))
        .at("/pay-static", post(payments::pay_static))
        .at("/reverse", post(payments::reverse))
        .at("/notify", post(payments::resend_notification))
        .at("/signed", post(signed::send_signed))
        .at("/faults", get(faults::read).put(faults::replace))
        .at("/charges", get(lists::charges))
        .at("/notifications", get(lists::notifications))
}
