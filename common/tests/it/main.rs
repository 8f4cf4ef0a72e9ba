#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

mod payment_codes;
mod wire;
