//! Characters.

mod create;
