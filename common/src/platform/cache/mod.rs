//! The cache of complete response bodies in Redis.
//!
//! One Redis hash holds everything that becomes invalid together: the body of one guild, or all pages
//! of a list. The hash also holds a random token. A fill names the token that it read before it read the
//! database, and it is refused when the token has changed. An invalidation deletes the whole hash. So a
//! body that was loaded before a change is never stored after it.

mod body;
mod claims;
mod connection;
mod get_or_load;
mod lease;
mod loads;
mod pending;
mod store;

pub use body::CachedBody;
pub use connection::CacheUnavailable;
pub use get_or_load::Cacheable;
pub use lease::CacheLease;
pub use store::Cache;
