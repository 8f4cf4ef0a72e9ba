//! The endpoints of news, and the bodies of their requests.

pub(crate) mod feed;
mod markdown;
mod post;
mod read;
mod share;

use guildhall_common::{
    contract::{
        news::{CreatePost, DestroyPost, EditPost, Markdown, PostId, Summary, Title, Version},
        values::{Limit, Page, Timestamp},
    },
    invalid_value::InvalidValue,
};
use poem_openapi::{Object, OpenApi};
use serde::{Deserialize, Serialize};

use crate::{
    auth::{Editor, OptionalCaller, RequireRole, SenderOf},
    http::{
        command_request::CommandRequest,
        command_response::CommandResponse,
        cursor::Cursor,
        json::JsonBody,
        paging::Paging,
        parameters::{Path, Query},
        problem::Problem,
        read_response::{ListPage, ReadResponse},
        share_page::SharePage,
    },
    news::{
        feed::Feed,
        post::Post,
        read::{AllPosts, PostSummary, PublishedPosts},
    },
    openapi::Tag,
    state::State,
};

/// The maximum number of posts with their text in one page. A text can have 64 KiB.
const MAX_BODIES: i64 = 20;

pub(crate) struct News {
    pub state: State,
}

/// A new post.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct NewPost {
    title: Title,
    /// Missing: the beginning of the body, also after edits of the body.
    summary: Option<Summary>,
    body: Markdown,
    /// Pinned posts are first in every list.
    #[serde(default)]
    #[oai(default)]
    pinned: bool,
    /// Hidden posts are visible only to editors.
    #[serde(default)]
    #[oai(default)]
    hidden: bool,
    /// A time in the future schedules the post. Missing: now.
    published_at: Option<Timestamp>,
}

/// The fields of a post to change. Missing fields stay as they are.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PostEdit {
    post_id: PostId,
    title: Option<Title>,
    /// Missing: it stays, or follows a new body if the post was created without one.
    summary: Option<Summary>,
    body: Option<Markdown>,
    pinned: Option<bool>,
    hidden: Option<bool>,
    published_at: Option<Timestamp>,
    /// The version that the editor has read. The edit is refused when the post has another one.
    expected_version: Option<Version>,
}

/// The text of a post that is not stored.
#[derive(Debug, Deserialize, Object)]
#[serde(deny_unknown_fields)]
#[oai(deny_unknown_fields, example)]
pub(crate) struct PostDraft {
    body: Markdown,
}

/// The text of a post as it would be shown.
#[derive(Debug, Deserialize, Serialize, Object)]
#[oai(example)]
pub(crate) struct PostPreview {
    /// The text as sanitised HTML.
    body_html: String,
}

#[OpenApi(tag = "Tag::News")]
impl News {
    /// List the published posts
    ///
    /// Pinned posts first, then newest first. With `body=true`, the posts have their text, and `limit` is at most 20.
    #[oai(path = "/news/list/:page/:limit", method = "get", operation_id = "news_list")]
    async fn list(
        &self,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
        /// Whether the posts have their text, as Markdown and as HTML.
        #[oai(default)]
        body: Query<bool>,
    ) -> Result<ReadResponse<ListPage<PostSummary>>, Problem> {
        if body.0 && limit.0.get() > MAX_BODIES {
            let detail = format!("must be at most {MAX_BODIES} with body=true");
            let error = InvalidValue { detail, ..InvalidValue::range(1, MAX_BODIES) };
            return Err(Problem::invalid("limit", error));
        }
        let posts = PublishedPosts { with_body: body.0 };
        self.state.lists.cached_page(&posts, Paging::new(page.0, limit.0, after.0)).await
    }

    /// List all posts
    ///
    /// For editors: hidden and scheduled posts are included. Pinned posts first, then newest first.
    #[oai(path = "/news/listDashboard/:page/:limit", method = "get", operation_id = "news_list_dashboard")]
    async fn list_dashboard(
        &self,
        _caller: RequireRole<Editor>,
        page: Path<Page>,
        limit: Path<Limit>,
        after: Query<Option<Cursor>>,
    ) -> Result<ReadResponse<ListPage<PostSummary>>, Problem> {
        self.state.lists.private_page(&AllPosts, Paging::new(page.0, limit.0, after.0)).await
    }

    /// Get the feed
    ///
    /// The 20 newest published posts with their text, as Atom (RFC 4287). The ids are the addresses of the posts on the site.
    #[oai(path = "/news/feed.atom", method = "get", operation_id = "news_feed")]
    async fn feed(&self) -> Result<Feed, Problem> {
        feed::feed(&self.state).await
    }

    /// Get a post
    ///
    /// Only editors can get hidden and scheduled posts.
    #[oai(path = "/news/find/:id", method = "get", operation_id = "news_find")]
    async fn find(&self, visitor: OptionalCaller, id: Path<PostId>) -> Result<ReadResponse<Post>, Problem> {
        post::find(&self.state, &visitor, id.0).await
    }

    /// Get the link preview of a post
    ///
    /// An HTML page with the [Open Graph](https://ogp.me) tags of the post's page: its title, its summary and its
    /// first picture.
    #[oai(path = "/news/share/:id", method = "get", operation_id = "news_share")]
    async fn share(&self, id: Path<PostId>) -> Result<SharePage, Problem> {
        share::page(&self.state, id.0).await
    }

    /// Preview a post
    ///
    /// For editors. Returns the HTML of a text as a post would show it. Nothing is stored.
    #[oai(path = "/news/preview", method = "post", operation_id = "news_preview")]
    async fn preview(
        &self,
        _caller: RequireRole<Editor>,
        body: JsonBody<PostDraft>,
    ) -> Result<ReadResponse<PostPreview>, Problem> {
        let body_html = markdown::rendered(&body.0.body).await?.html;
        ReadResponse::private(&PostPreview { body_html })
    }

    /// Create a post
    ///
    /// For editors. The post is visible from `published_at` on, unless it is hidden.
    #[oai(path = "/news/create", method = "post", operation_id = "news_create")]
    async fn create(
        &self,
        caller: SenderOf<CreatePost>,
        request: CommandRequest,
        body: JsonBody<NewPost>,
    ) -> Result<CommandResponse<CreatePost, 201>, Problem> {
        let NewPost { title, summary, body, pinned, hidden, published_at } = body.0;
        let summary_is_derived = summary.is_none();
        let summary = summary.unwrap_or_else(|| markdown::summary(&body));
        let rendered = Some(markdown::rendered(&body).await?);
        let command =
            CreatePost { title, summary, body, pinned, hidden, published_at, summary_is_derived, rendered };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Edit a post
    ///
    /// For editors. With `expected_version`, the edit is refused if the post was changed in the meantime.
    #[oai(path = "/news/edit", method = "patch", operation_id = "news_edit")]
    async fn edit(
        &self,
        caller: SenderOf<EditPost>,
        request: CommandRequest,
        body: JsonBody<PostEdit>,
    ) -> Result<CommandResponse<EditPost>, Problem> {
        let PostEdit { post_id, title, summary, body, pinned, hidden, published_at, expected_version } =
            body.0;
        let derived_summary = body.as_ref().filter(|_| summary.is_none()).map(|body| markdown::summary(body));
        let rendered = match &body {
            Some(body) => Some(markdown::rendered(body).await?),
            None => None,
        };
        let command = EditPost {
            post_id,
            title,
            summary,
            body,
            pinned,
            hidden,
            published_at,
            expected_version,
            derived_summary,
            rendered,
        };
        self.state.commands.send(&request, &caller, command).await
    }

    /// Delete a post
    ///
    /// For editors. A deleted post cannot be restored. Hide it to keep it.
    #[oai(path = "/news/destroy/:id", method = "delete", operation_id = "news_destroy")]
    async fn destroy(
        &self,
        caller: SenderOf<DestroyPost>,
        request: CommandRequest,
        id: Path<PostId>,
    ) -> Result<CommandResponse<DestroyPost>, Problem> {
        self.state.commands.send(&request, &caller, DestroyPost { post_id: id.0 }).await
    }
}

guildhall_common::examples! {
    PostDraft { "body": "We **held** it." }
    PostPreview { "body_html": "<p>We <strong>held</strong> it.</p>\n" }
    NewPost {
        "title": "The northern wall stands", "summary": "What happened last night.",
        "body": "We **held** it.", "pinned": false, "hidden": false, "published_at": "2030-01-01T12:00:00Z"
    }
    PostEdit {
        "post_id": 5, "title": "The wall stands", "summary": "What happened last night.", "body": "We **held** it.",
        "pinned": true, "hidden": false, "published_at": "2030-01-01T12:00:00Z", "expected_version": 1
    }
}
