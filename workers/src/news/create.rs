//! Creates a post.

use guildhall_common::contract::{
    command::Failure,
    news::{CreatePost, PostId, PostSaved, news_key},
};

use crate::{
    engine::rule::{Context, Rule},
    jobs::Job,
    news::slug::slug,
};

impl Rule for CreatePost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostSaved, Failure> {
        let author_id = cx.account_id()?;
        let saved = sqlx::query_as!(
            PostSaved,
            r#"insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
               values ($1, $2, $3, $4, $5, $6, $7, $8)
               returning post_id as "post_id: PostId", slug, version, published_at"#,
            author_id.get(),
            &*self.title,
            slug(&self.title),
            &*self.summary,
            &*self.body,
            self.pinned,
            self.hidden,
            self.published_at.map_or(cx.now, |time| time.0),
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.schedule(&Job::AnnouncePost { post_id: saved.post_id }, saved.published_at).await?;
        cx.invalidate([news_key()]);
        Ok(saved)
    }
}
