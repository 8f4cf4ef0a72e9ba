//! The texts and ids of posts.

use crate::{
    contract::values::{LINE, LINES, TITLE},
    id_types, number_types, text_types,
};

text_types! {
    /// The title of a post: one line of any characters.
    Title { 1 ..= 150, TITLE, "The northern wall stands", trimmed }
    /// The text that lists show for a post.
    Summary { 0 ..= 500, LINE, "What happened last night at the wall." }
    /// Markdown, stored as it was written.
    Markdown { 1 ..= 65_536, LINES, "We **held** it. [More](https://example.org)." }
}

id_types! {
    /// The id of a post.
    PostId
}

number_types! {
    Version(i32, "int32") { 1 ..= i32::MAX, 1 }
}
