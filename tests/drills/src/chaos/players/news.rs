//! Posts of an editor.

use http::Method;
use rand::RngExt;
use serde_json::{Value, json};

use super::{
    group::PlayerGroup,
    requests::{Expected, change, must_be_gone, must_show},
    state::NewsPost,
};

/// The number of posts that a group keeps.
const POSTS: usize = 3;

impl PlayerGroup {
    pub(super) async fn act_in_news(&mut self) -> anyhow::Result<()> {
        let index = self.random.random_range(0..POSTS);
        match self.random.random_range(0..6) {
            _ if index >= self.posts.len() => self.create_post().await,
            0 => {
                let post = self.posts.swap_remove(index);
                let path = format!("/news/destroy/{}", post.id);
                change(&self.site.editor, Method::DELETE, &path, Value::Null, Expected::Success).await?;
                must_be_gone(&self.site.anonymous, &format!("/news/find/{}", post.id)).await
            }
            1 => {
                let post = &self.posts[index];
                let version = post.version.as_i64().unwrap_or_default() + 1;
                let body = json!({ "post_id": post.id, "title": "Lost", "expected_version": version });
                let expected = Expected::Refusal("post_changed");
                change(&self.site.editor, Method::PATCH, "/news/edit", body, expected).await?;
                self.check_post(post).await
            }
            _ => self.edit_post(index).await,
        }
    }

    async fn create_post(&mut self) -> anyhow::Result<()> {
        let title = self.new_name();
        let body = json!({ "title": title, "summary": "", "body": "As it was." });
        let created =
            change(&self.site.editor, Method::POST, "/news/create", body, Expected::Success).await?;
        let post = NewsPost { id: created["post_id"].clone(), title, version: created["version"].clone() };
        self.check_post(&post).await?;
        let newest = [json!({ "title": post.title })];
        self.posts.push(post);
        self.check_newest_posts(&newest).await
    }

    async fn edit_post(&mut self, index: usize) -> anyhow::Result<()> {
        let title = self.new_name();
        let post = &self.posts[index];
        let body = json!({ "post_id": post.id, "title": title, "expected_version": post.version });
        let edited = change(&self.site.editor, Method::PATCH, "/news/edit", body, Expected::Success).await?;
        let post = &mut self.posts[index];
        (post.title, post.version) = (title, edited["version"].clone());
        self.check_post(&self.posts[index]).await
    }

    pub(super) async fn check_post(&self, post: &NewsPost) -> anyhow::Result<()> {
        let expected = json!({ "title": post.title, "version": post.version });
        must_show(&self.site.anonymous, &format!("/news/find/{}", post.id), &expected).await.map(drop)
    }
}
