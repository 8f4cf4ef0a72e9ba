//! Pictures: reads uploaded ones, and draws those of the site. Both happen in a bounded pool.

mod arms;
pub(crate) mod card;
pub(crate) mod logo;
pub(crate) mod pool;
pub(crate) mod response;
mod typesetting;
mod webp;
