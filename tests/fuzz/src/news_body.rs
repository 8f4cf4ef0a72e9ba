use guildhall_common::markdown::to_html;

/// The elements and attributes that HTML from Markdown can have.
const ELEMENTS: &str =
    "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong table tbody td th thead tr ul";
const ATTRIBUTES: &str = "alt href rel src start title";

/// Schemes of URLs that execute code or embed data.
const UNSAFE_SCHEMES: [&str; 4] = ["javascript:", "vbscript:", "data:", "blob:"];

/// The Markdown of a news post. Its HTML executes no code, and a second sanitisation does not change it.
pub fn news_body(data: &[u8]) {
    let Ok(markdown) = str::from_utf8(data) else { return };
    let html = to_html(markdown);
    assert_eq!(ammonia::clean(&html), html);
    let mut rest = &*html;
    // `<` always begins a tag: in a text it is escaped as `&lt;`.
    while let Some((_, tag)) = rest.split_once('<') {
        rest = match tag.strip_prefix('/') {
            Some(closing) => closing.split_once('>').expect("a tag has an end").1,
            None => check_opening_tag(tag),
        };
    }
}

/// Checks the element and its attributes. Returns the HTML after the tag.
fn check_opening_tag(tag: &str) -> &str {
    let (element, mut rest) = tag.split_at(tag.find([' ', '>']).expect("a tag has an end"));
    assert!(is_in_list(ELEMENTS, element), "the element {element} is not allowed");
    while let Some(attribute) = rest.strip_prefix(' ') {
        let (name, value) = attribute.split_once("=\"").expect("an attribute has a value");
        let (value, after) = value.split_once('"').expect("a value has an end");
        assert!(is_in_list(ATTRIBUTES, name), "the attribute {name} is not allowed");
        // Browsers ignore spaces and line ends before and inside the scheme.
        let url: String = value.chars().filter(|char| *char > ' ').collect();
        let url = url.to_ascii_lowercase();
        let is_unsafe = UNSAFE_SCHEMES.iter().any(|scheme| url.starts_with(scheme));
        assert!(!(matches!(name, "href" | "src") && is_unsafe), "the URL {url} is not safe");
        rest = after;
    }
    rest.strip_prefix('>').expect("a tag has an end")
}

fn is_in_list(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}
