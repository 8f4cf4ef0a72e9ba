//! News posts: the match on the command.

mod announce;
mod create;
mod destroy;
mod edit;
mod render;

pub(crate) use self::{announce::AnnouncePost, render::RenderPosts};
