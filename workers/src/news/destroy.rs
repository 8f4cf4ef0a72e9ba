//! Deletes a post.

use guildhall_common::contract::{
    command::Failure,
    news::{DestroyPost, NewsRefusal, PostDestroyed, PostId, news_key, post_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for DestroyPost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostDestroyed, Failure> {
        let destroyed = sqlx::query_as!(
            PostDestroyed,
            r#"delete from posts where post_id = $1 returning post_id as "post_id: PostId""#,
            self.post_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(NewsRefusal::PostNotFound)?;
        cx.invalidate([news_key(), post_key(destroyed.post_id)]);
        Ok(destroyed)
    }
}
