//! The steps of a worker after which drills kill it, and system tests lose its messages.
//!
//! A step is recognized by the bytes of its message. There is no straighter way: the tested program is the one that is released, so it has
//! no hook for tests. A worker must die at the moment that others see, when the message is sent or arrives.

use crate::proxy::Pattern;

/// The end of the text `call end_batch_or_fail(…); commit`. Other transactions of a worker send `COMMIT`.
pub const COMMIT_OF_BATCH: Pattern = Pattern { to_server: true, bytes: b"); commit\0" };

/// The response to that text: CommandComplete of each statement.
/// <https://www.postgresql.org/docs/current/protocol-message-formats.html>
pub const RESPONSE_TO_COMMIT_OF_BATCH: Pattern =
    Pattern { to_server: false, bytes: b"C\0\0\0\x09CALL\0C\0\0\0\x0bCOMMIT\0" };

/// The response of Redis to UNLINK is an integer, and the response to PING is not.
pub const RESPONSE_TO_INVALIDATION: Pattern = Pattern { to_server: false, bytes: b":" };

/// The acknowledgement of messages, of AMQP 0-9-1: 13 bytes of class 60, basic; method 80, ack.
pub const ACKNOWLEDGEMENT: Pattern = Pattern { to_server: true, bytes: &[0, 0, 0, 13, 0, 60, 0, 80] };
