//! What the fuzzer begins with, seeds and what once broke something, holds what must hold whenever the tests run.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on shall fail")]

use std::{fs, path::Path};

fn holds(name: &str, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let inputs: Vec<_> = fs::read_dir(corpus).unwrap().map(|input| input.unwrap().path()).collect();
    assert!(!inputs.is_empty());
    for input in inputs {
        // Shown when it panics: the last one did.
        println!("{}", input.display());
        target(&fs::read(input).unwrap());
    }
}

macro_rules! targets {
    ($($name:ident)+) => {$(
        #[test]
        fn $name() {
            holds(stringify!($name), guildhall_fuzz::$name);
        }
    )+};
}

targets! {
    http_request
    news_body
    payment_code
    payment_fields
    queued_command
    values
    webhook_body
    webhook_signature
}
