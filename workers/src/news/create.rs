//! Creates a post.

use guildhall_common::contract::{
    command::Failure,
    news::{CreatePost, PostId, PostSaved, news_key},
};
use serde_json::{Value, json};

use crate::{
    engine::{audit::Entry, context::Context, rule::Rule},
    news::{announce::AnnouncePost, render},
};

impl Rule for CreatePost {
    async fn apply(&self, cx: &mut Context<'_>) -> Result<PostSaved, Failure> {
        let author_id = cx.account_id()?;
        let saved = sqlx::query!(
            r#"insert into posts (author_id, title, slug, summary, body, pinned, hidden, published_at, summary_is_derived)
               values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               returning post_id as "post_id: PostId", slug, version, published_at,
                         to_jsonb(posts) as "row!""#,
            author_id.get(),
            &*self.title,
            slug(&self.title),
            &*self.summary,
            &*self.body,
            self.pinned,
            self.hidden,
            self.published_at.map_or(cx.now, |time| time.0),
            self.summary_is_derived,
        )
        .fetch_one(&mut *cx.db)
        .await?;
        render::store(cx, saved.post_id, self.rendered.as_ref()).await?;
        cx.schedule(&AnnouncePost { post_id: saved.post_id }, saved.published_at).await?;
        let details = json!({ "post_id": saved.post_id, "author_id": author_id });
        cx.audit(Entry::new("news.create", details).row(&Value::Null, &saved.row)).await?;
        cx.invalidate([news_key()]);
        Ok(PostSaved {
            post_id: saved.post_id,
            slug: saved.slug,
            version: saved.version,
            published_at: saved.published_at,
        })
    }
}

/// The maximum number of characters of a slug. One character of a title can become a sentence of Latin letters.
const SLUG_LENGTH: usize = 150;

/// The form of a title in a URL: `the-northern-wall-stands`.
pub(super) fn slug(title: &str) -> String {
    let mut slug = slug::slugify(title);
    if slug.len() > SLUG_LENGTH {
        slug.truncate(SLUG_LENGTH);
        slug.truncate(slug.rfind('-').unwrap_or(SLUG_LENGTH));
    }
    if slug.is_empty() { "post".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn slug_is_short() {
        assert_eq!(slug("Der Wall steht: größer!"), "der-wall-steht-grosser");
        assert_eq!(slug("🐉"), "dragon");
        let long = slug(&"\u{fdfa}".repeat(150));
        assert!(long.len() <= 150 && !long.ends_with('-'), "{long}");
        assert_eq!(slug(&"x".repeat(200)).len(), 150);
    }
}
