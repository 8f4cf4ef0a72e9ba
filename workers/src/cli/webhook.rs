use std::{
    env,
    io::{IsTerminal, stdin},
};

use anyhow::{Context, ensure};
use clap::Args;
use guildhall_common::contract::providers::{MIN_WEBHOOK_SECRET, is_webhook_secret};
use guildhall_workers::payments::register_webhook;

use crate::cli::app_args::AppArgs;

/// The setting of the api with the same secret.
const SECRET: &str = "GUILDHALL_PIX_WEBHOOK_SECRET";

#[derive(Args)]
pub(crate) struct RegisterWebhookCommand {
    /// The address of the API as the bank reaches it, without the secret: https://pix.example.org/payments/instant/webhook.
    /// The secret comes from GUILDHALL_PIX_WEBHOOK_SECRET, or else from the standard input
    url: String,
    /// Register the address without a secret. The proxy then checks the certificate of the bank
    #[arg(long)]
    without_secret: bool,
    #[command(flatten)]
    app: AppArgs,
}

impl RegisterWebhookCommand {
    pub(crate) async fn run(self) -> anyhow::Result<()> {
        // Other users of the machine can read the arguments of a process.
        ensure!(!self.url.contains('?'), "the address must have no query. Give the secret in {SECRET}");
        let url =
            if self.without_secret { self.url } else { format!("{}?secret={}", self.url, read_secret()?) };
        register_webhook(&self.app.start()?, &url).await?;
        println!("the bank sends its notifications to this address");
        Ok(())
    }
}

fn read_secret() -> anyhow::Result<String> {
    let secret = match env::var(SECRET) {
        Ok(secret) => secret,
        Err(_) => {
            if stdin().is_terminal() {
                eprintln!("{SECRET} is not set. Enter the secret of the webhook:");
            }
            let mut line = String::new();
            stdin().read_line(&mut line).context("cannot read the secret from the standard input")?;
            line.trim().to_owned()
        }
    };
    ensure!(
        is_webhook_secret(&secret),
        "the secret must have at least {MIN_WEBHOOK_SECRET} letters and digits. Set {SECRET}, or write it to the standard input"
    );
    Ok(secret)
}
