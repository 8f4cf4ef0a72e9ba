//! A provider's list of transfers.

use chrono::{DateTime, Utc};
use guildhall_common::contract::providers::Notification;

use crate::providers::charge::ReportedRefund;

/// The span of time that is listed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeWindow {
    pub(crate) from: DateTime<Utc>,
    pub(crate) to: DateTime<Utc>,
}

/// One page of a list.
#[derive(Debug)]
pub(crate) struct ListedPage {
    pub(crate) transfers: Vec<ListedTransfer>,
    /// The number of pages of the list.
    pub(crate) pages: u32,
}

/// A transfer in a provider's list.
#[derive(Debug)]
pub(crate) struct ListedTransfer {
    pub(crate) end_to_end_id: Option<String>,
    /// The charge that the transfer names. None for a transfer that belongs to no charge.
    pub(crate) reference: Option<String>,
    pub(crate) refunds: Vec<ReportedRefund>,
    /// The notification that the provider would have sent about the transfer.
    pub(crate) notification: Notification,
}
