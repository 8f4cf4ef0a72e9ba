//! Runs each fuzz target on its corpus: seeds, and inputs that once broke a property.

#![expect(clippy::unwrap_used, reason = "a failed test panics")]

use std::{fs, path::Path};

fn run_corpus(name: &str, target: fn(&[u8])) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let inputs: Vec<_> = fs::read_dir(corpus).unwrap().map(|input| input.unwrap().path()).collect();
    assert!(!inputs.is_empty());
    for input in inputs {
        // After a panic, the last line of the output is the input.
        println!("{}", input.display());
        target(&fs::read(input).unwrap());
    }
}

macro_rules! targets {
    ($($name:ident)+) => {
        const TARGETS: &[&str] = &[$(stringify!($name)),+];
        $(
        #[test]
        fn $name() {
            run_corpus(stringify!($name), guildhall_fuzz::$name);
        }
        )+
    };
}

#[test]
fn every_target_has_a_corpus_and_a_test() {
    for folder in ["corpus", "fuzz_targets"] {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
        let mut names: Vec<String> = files
            .map(|file| file.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort_unstable();
        assert_eq!(names, TARGETS, "in {folder}");
    }
}

targets! {
    http_request
    logo
    news_body
    payment_code
    payment_fields
    queued_command
    values
    webhook_body
    webhook_signature
}
