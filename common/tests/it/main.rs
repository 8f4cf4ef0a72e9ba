#![expect(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

mod payment_codes;
mod wire;
