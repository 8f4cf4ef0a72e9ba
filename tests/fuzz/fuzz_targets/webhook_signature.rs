#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| guildhall_fuzz::webhook_signature(data));
