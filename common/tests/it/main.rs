#![expect(clippy::unwrap_used, reason = "a failed test panics")]

mod payment_codes;
mod wire;
