//! News posts.

mod posts;
mod samples;
mod schedule;
