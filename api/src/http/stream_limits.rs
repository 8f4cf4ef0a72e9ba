//! The limits of open event streams.

use std::net::IpAddr;

use guildhall_common::contract::account::AccountId;
use poem::http::StatusCode;

use crate::http::{
    client_address::ClientAddress,
    problem::Problem,
    slots::{NoSlot, Slot, Slots},
};

/// The maximum number of open streams of one account.
const MAX_STREAMS: usize = 10;

/// The seconds after which a client with too many streams should try again.
const RETRY_AFTER_SECONDS: u64 = 10;

/// The open streams of this process.
#[derive(Clone)]
pub(crate) struct StreamLimits {
    by_account: Slots<AccountId>,
    by_address: Slots<IpAddr>,
}

/// The slots of one stream.
pub(crate) struct StreamSlots {
    _of_account: Slot<AccountId>,
    _of_address: Slot<IpAddr>,
}

impl StreamLimits {
    /// Limits of all streams, and of those of one client address.
    pub(crate) fn new(total: usize, per_address: usize) -> Self {
        Self { by_account: Slots::new(usize::MAX, MAX_STREAMS), by_address: Slots::new(total, per_address) }
    }

    /// # Errors
    /// 429 when the account or the address has too many streams; 503 when the server has too many.
    pub(crate) fn acquire(
        &self,
        account_id: AccountId,
        address: ClientAddress,
    ) -> Result<StreamSlots, Problem> {
        let of_account = self.by_account.acquire(account_id).map_err(|_| {
            too_many_streams(format!(
                "An account may have {MAX_STREAMS} open event streams. Close one first."
            ))
        })?;
        let of_address = self.by_address.acquire(address.network()).map_err(|reason| match reason {
            NoSlot::OfKey => too_many_streams("This address has too many open event streams.".to_owned()),
            NoSlot::AtAll => {
                Problem::unavailable("busy", "The server has too many open event streams. Try again.")
            }
        })?;
        Ok(StreamSlots { _of_account: of_account, _of_address: of_address })
    }
}

fn too_many_streams(detail: String) -> Problem {
    Problem {
        retry_after: Some(RETRY_AFTER_SECONDS),
        ..Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", detail)
    }
}
