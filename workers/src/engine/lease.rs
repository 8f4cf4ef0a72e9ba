//! Partitions, and the leases with which a worker processes them.

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
}

/// Another worker has taken the lease.
#[derive(Debug, thiserror::Error)]
#[error("another worker has taken the partition")]
pub(crate) struct LeaseLost;
