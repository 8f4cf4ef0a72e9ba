//! A page for link previews: HTML with Open Graph tags. The programs of chats and social networks read it instead of the page of
//! the site, which needs JavaScript.

use crate::http::{
    markup::Escaped,
    text_response::{TextKind, TextResponse},
};

/// What a link preview shows.
pub(crate) struct Preview<'a> {
    /// A language tag.
    pub(crate) language: &'a str,
    pub(crate) site_name: &'a str,
    /// The address of the page of the site.
    pub(crate) url: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) image: Option<PreviewImage<'a>>,
}

/// The address of the image of a link preview.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PreviewImage<'a> {
    /// A PNG with 1200 × 630 pixels.
    Card(&'a str),
    /// Of any type and size.
    Picture(&'a str),
}

pub(crate) struct Html;

impl TextKind for Html {
    const MEDIA_TYPE: &'static str = "text/html; charset=utf-8";
    const DESCRIPTION: &'static str = "The page.";
}

/// The response with the page.
pub(crate) type SharePage = TextResponse<Html>;

impl Preview<'_> {
    /// The whole page.
    pub(crate) fn to_html(&self) -> String {
        let Self { language, site_name, url, title, description, image } = self;
        let image = image.map(image_tags).unwrap_or_default();
        format!(
            r#"<!doctype html>
<html lang="{language}">
  <head>
    <meta charset="utf-8">
    <title>{title} · {site_name}</title>
    <link rel="canonical" href="{url}">
    <meta name="description" content="{description}">
    <meta property="og:type" content="website">
    <meta property="og:site_name" content="{site_name}">
    <meta property="og:url" content="{url}">
    <meta property="og:title" content="{title}">
    <meta property="og:description" content="{description}">
{image}  </head>
  <body><a href="{url}">{title}</a></body>
</html>
"#,
            site_name = Escaped(site_name),
            url = Escaped(url),
            title = Escaped(title),
            description = Escaped(description),
        )
    }
}

fn image_tags(image: PreviewImage) -> String {
    let (address, details) = match image {
        PreviewImage::Card(address) => (address, CARD_DETAILS),
        PreviewImage::Picture(address) => (address, ""),
    };
    format!(
        r#"    <meta property="og:image" content="{address}">
{details}    <meta name="twitter:card" content="summary_large_image">
"#,
        address = Escaped(address),
    )
}

const CARD_DETAILS: &str = r#"    <meta property="og:image:type" content="image/png">
    <meta property="og:image:width" content="1200">
    <meta property="og:image:height" content="630">
"#;
