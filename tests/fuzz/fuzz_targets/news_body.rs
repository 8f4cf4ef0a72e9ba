#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| guildhall_fuzz::news_body(data));
