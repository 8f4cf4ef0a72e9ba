//! Generates the client from the OpenAPI document.

use std::{env, fs, path::Path};

use openapiv3::OpenAPI;
use progenitor::{GenerationSettings, Generator, InterfaceStyle};

const DOCUMENT: &str = "../../../docs/openapi.json";

fn main() -> anyhow::Result<()> {
    println!("cargo::rerun-if-changed={DOCUMENT}");
    // The generator supports typed errors only as application/json. The client ignores the media type of a response, so this
    // changes only the type of the errors.
    let document =
        fs::read_to_string(DOCUMENT)?.replace("\"application/problem+json\"", "\"application/json\"");
    let document: OpenAPI = serde_json::from_str(&document)?;
    // With builders, a new optional argument breaks no caller.
    let mut settings = GenerationSettings::default();
    settings.with_interface(InterfaceStyle::Builder);
    let code = Generator::new(&settings).generate_tokens(&document)?;
    let code = prettyplease::unparse(&syn::parse2(code)?);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("client.rs"), code)?;
    Ok(())
}
