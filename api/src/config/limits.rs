//! The limits of requests.

use std::num::NonZeroU32;

use clap::Args;

/// How often clients may send requests.
#[derive(Debug, Clone, Args)]
pub struct LimitSettings {
    /// The requests per minute of one account. Requests without a token count for their address. All requests of one
    /// address together may be ten times as many
    #[arg(long, env = "GUILDHALL_REQUESTS_PER_MINUTE", default_value = "600")]
    pub requests_per_minute: NonZeroU32,

    /// The failed log-ins per minute of one client with one account name or e-mail address. Two more limits are five times as high
    /// and count only the failures of clients that the account does not know. One limit is for each name or e-mail address, the other for
    /// each client address
    #[arg(long, env = "GUILDHALL_LOG_INS_PER_MINUTE", default_value = "10")]
    pub log_ins_per_minute: NonZeroU32,

    /// The accounts per hour that one address may register
    #[arg(long, env = "GUILDHALL_REGISTRATIONS_PER_HOUR", default_value = "20")]
    pub registrations_per_hour: NonZeroU32,
}
