use guildhall_common::contract::{
    command::Failure,
    news::{DestroyPost, NewsRefusal, PostDestroyed, news_key, post_key},
};

use crate::engine::rule::{Context, Rule};

impl Rule for DestroyPost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostDestroyed, Failure> {
        let destroyed = sqlx::query_as!(
            PostDestroyed,
            "delete from posts where post_id = $1 returning post_id",
            self.post_id.get(),
        )
        .fetch_optional(&mut *cx.db)
        .await?
        .ok_or(NewsRefusal::PostNotFound)?;
        cx.stale([news_key(), post_key(destroyed.post_id)]);
        Ok(destroyed)
    }
}
