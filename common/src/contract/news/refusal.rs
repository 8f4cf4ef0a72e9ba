//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    NewsRefusal {
        NotFound PostNotFound "post_not_found" "This post does not exist.";
        Conflict PostChanged "post_changed" "Another editor has changed the post. Load it again.";
    }
}
