use guildhall_api::to_html;

/// What Markdown may become, besides texts.
const ELEMENTS: &str =
    "a blockquote br code del em h1 h2 h3 h4 h5 h6 hr img li ol p pre strong table tbody td th thead tr ul";
const ATTRIBUTES: &str = "alt href rel src start title";

/// Addresses that run something instead of leading somewhere.
const RUNNING: [&str; 4] = ["javascript:", "vbscript:", "data:", "blob:"];

/// The Markdown of a post. What it becomes runs nothing, and cannot be cleaned any further.
pub fn news_body(data: &[u8]) {
    let Ok(markdown) = str::from_utf8(data) else { return };
    let html = to_html(markdown);
    assert_eq!(ammonia::clean(&html), html);
    let mut rest = &*html;
    // Nothing else begins so: in a text it is `&lt;`.
    while let Some((_, tag)) = rest.split_once('<') {
        rest = match tag.strip_prefix('/') {
            Some(closing) => closing.split_once('>').expect("a tag ends").1,
            None => after_opening(tag),
        };
    }
}

fn after_opening(tag: &str) -> &str {
    let (element, mut rest) = tag.split_at(tag.find([' ', '>']).expect("a tag ends"));
    assert!(is_one_of(ELEMENTS, element), "there is a {element}");
    while let Some(attribute) = rest.strip_prefix(' ') {
        let (name, value) = attribute.split_once("=\"").expect("an attribute has a value");
        let (value, after) = value.split_once('"').expect("a value ends");
        assert!(is_one_of(ATTRIBUTES, name), "there is a {name}");
        // Browsers look past spaces and line ends before and within a scheme.
        let address: String = value.chars().filter(|char| *char > ' ').collect();
        let address = address.to_ascii_lowercase();
        let leads = matches!(name, "href" | "src");
        assert!(!leads || !RUNNING.iter().any(|scheme| address.starts_with(scheme)), "it runs {address}");
        rest = after;
    }
    rest.strip_prefix('>').expect("a tag ends")
}

fn is_one_of(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}
