//! News posts.

mod feed;
mod posts;
mod rendering;
mod samples;
mod schedule;
