//! Deletes a post.

use guildhall_common::contract::{
    command::Failure,
    news::{DestroyPost, NewsRefusal, PostDestroyed, news_key, post_key},
};
use serde_json::{Value, json};

use crate::engine::{audit::Entry, context::Context, rule::Rule};

impl Rule for DestroyPost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostDestroyed, Failure> {
        let destroyed = sqlx::query!(
            r#"delete from posts where post_id = $1 returning author_id, to_jsonb(posts) as "row!""#,
            self.post_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(NewsRefusal::PostNotFound)?;
        let post_id = self.post_id;
        let details = json!({ "post_id": post_id, "author_id": destroyed.author_id });
        cx.audit(Entry::new("news.destroy", details).row(&destroyed.row, &Value::Null)).await?;
        cx.invalidate([news_key(), post_key(post_id)]);
        Ok(PostDestroyed { post_id })
    }
}
