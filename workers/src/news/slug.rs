//! The form of a title in a URL.

/// Converts a title: `the-northern-wall-stands`.
pub(super) fn slug(title: &str) -> String {
    let slug = slug::slugify(title);
    if slug.is_empty() { "post".to_owned() } else { slug }
}
