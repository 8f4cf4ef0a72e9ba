use guildhall_common::contract::{
    command::Failure,
    news::{CreatePost, PostSaved, news_key},
};

use crate::{
    engine::rule::{Context, Rule},
    jobs::Job,
};

impl Rule for CreatePost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostSaved, Failure> {
        let author_id = cx.account_id()?;
        let saved = sqlx::query_as!(
            PostSaved,
            "insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8)
             returning post_id, slug, version, published_at",
            author_id,
            &*self.title,
            slug(&self.title),
            &*self.summary,
            &*self.body,
            self.pinned,
            self.hidden,
            self.published_at.map_or(cx.now, |moment| moment.0),
        )
        .fetch_one(&mut *cx.db)
        .await?;
        cx.schedule(&Job::AnnouncePost { post_id: saved.post_id }, saved.published_at).await?;
        cx.stale([news_key()]);
        Ok(saved)
    }
}

/// The title for a URL: `the-northern-wall-stands`.
pub(super) fn slug(title: &str) -> String {
    let slug = slug::slugify(title);
    if slug.is_empty() { "post".to_owned() } else { slug }
}
