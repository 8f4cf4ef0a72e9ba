//! Characters.

mod public;
