//! Drills and measurements: a site's parts are killed while it is at work, its speed is measured, and its
//! books are checked afterwards.

pub mod abuse;
pub mod books;
pub mod chaos;
pub mod client;
pub mod held;
pub mod journal;
pub mod payments;
mod sorted;
pub mod stack;
pub mod webhooks;
pub mod wire;
