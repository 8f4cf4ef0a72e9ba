//! The reasons to refuse these commands.

use crate::refusals;

refusals! {
    MailRefusal {
        NotFound MailNotFound "mail_not_found" "This mail does not exist.";
        Conflict MailNotParked "mail_not_parked" "This mail is not parked.";
        Conflict MailExpired "mail_expired" "The link in this mail has expired.";
    }
}
