//! Partitions, and the leases with which a worker processes them.

use tokio_util::sync::CancellationToken;

/// A partition: its domain and its number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Partition {
    pub(crate) domain: String,
    pub(crate) number: u16,
}

/// The right of a worker to process a partition.
#[derive(Debug, Clone)]
pub(crate) struct Lease {
    pub(crate) partition: Partition,
    /// A transaction under an older epoch is not committed.
    pub(crate) epoch: i64,
    /// Cancelled when the worker could not renew the lease: another worker may have the partition.
    pub(crate) expired: CancellationToken,
}

/// Another worker has taken the lease, or may take it.
#[derive(Debug, thiserror::Error)]
#[error("the lease of the partition is lost")]
pub(crate) struct LeaseLost;
