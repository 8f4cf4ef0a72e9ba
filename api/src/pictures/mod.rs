//! Pictures: reads uploaded ones, and draws those of the site. Both happen in a bounded pool.

pub(crate) mod logo;
pub(crate) mod pool;
pub(crate) mod response;
