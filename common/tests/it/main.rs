#![expect(clippy::unwrap_used, reason = "a failed test panics")]

mod contract;
mod payment_codes;
mod wire;
