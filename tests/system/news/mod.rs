//! News posts.

mod feed;
mod posts;
mod samples;
mod schedule;
