//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    SiteRefusal {
        NotFound DeadLetterNotFound "dead_letter_not_found" "This dead letter does not exist.";
        Conflict DeadLetterTooOld "dead_letter_too_old" "This dead letter is too old. If its sender has sent the command again, a replay would apply it twice.";
        Conflict QueueRejected "queue_rejected" "Its queue is full or missing. Replay it later, or discard it.";
        NotFound ServiceTokenNotFound "service_token_not_found" "This service token does not exist.";
        Conflict ServiceTokenNameTaken "service_token_name_taken" "Another service token has this name. It may be a revoked one.";
        Conflict AlreadyRevoked "service_token_already_revoked" "This service token is already revoked.";
    }
}
