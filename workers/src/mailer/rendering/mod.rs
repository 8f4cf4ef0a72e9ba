//! The contents of mails: a template and its values become a subject, a text and an HTML page.

mod block;
mod check;
mod environment;
mod kinds;
mod overrides;
mod preview;
mod site;
mod templates;
#[cfg(test)]
mod tests;
mod values;

pub use self::preview::preview;
pub(crate) use self::{
    check::load,
    site::Site,
    templates::{Rendered, Templates},
};
