//! The ids of operations.

use crate::uuid_ids;

uuid_ids! {
    /// The id of an operation: one accepted command.
    OperationId
}
