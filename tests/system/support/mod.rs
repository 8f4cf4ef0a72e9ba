//! The parts that tests are made of: a site, its clients, its bank, and network links that fail.

pub(crate) mod authenticator;
pub(crate) mod bank;
pub(crate) mod binaries;
pub(crate) mod broker;
pub(crate) mod browser;
pub(crate) mod child;
pub(crate) mod client;
pub(crate) mod community;
pub(crate) mod database;
pub(crate) mod document;
pub(crate) mod mailbox;
pub(crate) mod motd;
pub(crate) mod notification;
pub(crate) mod object_store;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod payment;
pub(crate) mod rate_limit;
mod refusals;
pub(crate) mod service;
pub(crate) mod site;
pub(crate) mod socket;
mod test_database;
pub(crate) mod wait;
