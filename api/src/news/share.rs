//! The link preview of a post, with the first picture of its text.

use std::time::Duration;

use guildhall_common::{
    contract::{
        cache_key::CacheKey,
        command::Refusal,
        news::{NewsRefusal, PostId, post_key},
    },
    platform::cache::Cacheable,
};

use crate::{
    http::{
        problem::Problem,
        share_page::{Preview, PreviewImage, SharePage},
    },
    news::{markdown, read::TTL},
    state::State,
};

/// The page becomes stale together with the view of its post.
struct SharedPost(PostId);

impl Cacheable for SharedPost {
    const TTL: Duration = TTL;

    fn key(&self) -> CacheKey {
        post_key(self.0)
    }

    fn field(&self) -> String {
        "share".to_owned()
    }
}

/// # Errors
/// 404 when readers cannot see the post or the site has no address; 503 when the database does not respond.
pub(super) async fn page(state: &State, id: PostId) -> Result<SharePage, Problem> {
    let site_url = state.require_site_url()?;
    let load = async || {
        let post = sqlx::query!(
            "select title, summary, body from posts where post_id = $1 and not hidden and published_at <= now()",
            id.get(),
        )
        .fetch_optional(&state.database)
        .await?
        .ok_or_else(|| NewsRefusal::PostNotFound.refused())?;
        let picture = markdown::first_picture(&post.body).map(|path| site_url.page(&path));
        let preview = Preview {
            language: &state.site_language,
            site_name: &state.site_name,
            url: &site_url.page(&format!("/news/{id}")),
            title: &post.title,
            description: &post.summary,
            image: picture.as_deref().map(PreviewImage::Picture),
        };
        Ok(preview.to_html())
    };
    SharePage::cached(&state.cache, &SharedPost(id), load).await
}
