//! What an editor writes.

use rand::RngExt;
use reqwest::Method;
use serde_json::{Value, json};

use super::cell::{Cell, Must, ask, miss, see};

/// Posts that a cell keeps at a time.
const POSTS: usize = 3;

pub(super) struct Post {
    id: Value,
    pub title: String,
    pub version: Value,
}

impl Cell {
    pub(super) async fn act_in_news(&mut self) -> anyhow::Result<()> {
        let which = self.random.random_range(0..POSTS);
        let editor = &self.site.editor;
        match self.random.random_range(0..6) {
            _ if which >= self.posts.len() => {
                let title = self.new_name();
                let body = json!({ "title": title, "summary": "", "body": "As it was." });
                let created =
                    ask(&self.site.editor, Method::POST, "/news/create", body, Must::Succeed).await?;
                let post =
                    Post { id: created["post_id"].clone(), title, version: created["version"].clone() };
                self.see_post(&post).await?;
                let new = [json!({ "title": post.title })];
                self.posts.push(post);
                self.see_newest(&new).await
            }
            0 => {
                let post = self.posts.swap_remove(which);
                let path = format!("/news/destroy/{}", post.id);
                ask(editor, Method::DELETE, &path, Value::Null, Must::Succeed).await?;
                miss(&self.site.nobody, &format!("/news/find/{}", post.id)).await
            }
            1 => {
                let post = &self.posts[which];
                let version = post.version.as_i64().unwrap_or_default() + 1;
                let body = json!({ "post_id": post.id, "title": "Lost", "expected_version": version });
                ask(editor, Method::PATCH, "/news/edit", body, Must::BeRefused("post_changed")).await?;
                self.see_post(post).await
            }
            _ => {
                let title = self.new_name();
                let post = &self.posts[which];
                let body = json!({ "post_id": post.id, "title": title, "expected_version": post.version });
                let edited = ask(&self.site.editor, Method::PATCH, "/news/edit", body, Must::Succeed).await?;
                let post = &mut self.posts[which];
                (post.title, post.version) = (title, edited["version"].clone());
                self.see_post(&self.posts[which]).await
            }
        }
    }

    pub(super) async fn see_post(&self, post: &Post) -> anyhow::Result<()> {
        let expected = json!({ "title": post.title, "version": post.version });
        see(&self.site.nobody, &format!("/news/find/{}", post.id), &expected).await.map(drop)
    }
}
