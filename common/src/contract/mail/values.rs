//! The ids of mails.

use crate::uuid_ids;

uuid_ids! {
    /// The id of a mail. The `Message-ID` of the mail contains it.
    MailId
}
