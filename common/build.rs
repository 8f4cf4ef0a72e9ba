//! A new migration makes a new binary: it is embedded.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
}
