//! The commit of a batch, as it passes between a worker and Postgres. A system test loses exactly these messages of a batch.

use crate::proxy::Pattern;

/// The end of the text `call end_batch_or_fail(…); commit`. Other transactions of a worker send `COMMIT`.
pub const COMMIT_OF_BATCH: Pattern = Pattern { to_server: true, bytes: b"); commit\0" };

/// The response to that text: CommandComplete of each statement.
/// <https://www.postgresql.org/docs/current/protocol-message-formats.html>
pub const RESPONSE_TO_COMMIT_OF_BATCH: Pattern =
    Pattern { to_server: false, bytes: b"C\0\0\0\x09CALL\0C\0\0\0\x0bCOMMIT\0" };
