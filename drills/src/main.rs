use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use guildhall_common::{config::report, telemetry};
use guildhall_drills::{
    abuse, chaos,
    client::Client,
    payments::Drill,
    stack::{Part, Stack},
    webhooks::Bank,
};
use sqlx::PgPool;

/// Drills and measurements of a site that ./dev drill has started for it: without a command, players live on it while
/// its parts are killed, frozen and cut off, and then the books are compared
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    chaos: chaos::Settings,

    #[command(subcommand)]
    run: Option<Run>,
}

#[derive(Subcommand)]
enum Run {
    /// Kill one part after the other between any two steps of a payment, and in the middle of each
    Payments {
        /// Which parts; all of them unless said
        parts: Vec<Part>,
    },
    /// Bad input and rough clients: whatever they send or leave out, others are answered and nothing grows
    Abuse(abuse::Settings),
    /// Measure how fast notifications of payments are taken
    Webhooks,
}

#[tokio::main]
async fn main() -> ExitCode {
    telemetry::tls();
    report(run(Cli::parse()).await)
}

async fn run(cli: Cli) -> anyhow::Result<()> {
    let api = format!("http://{}", Stack::setting("GUILDHALL_API_LISTEN")?);
    let Some(run) = cli.run else {
        return chaos::run(&cli.chaos).await;
    };
    match run {
        Run::Payments { parts } => {
            let parts = if parts.is_empty() { Part::ALL.to_vec() } else { parts };
            payments(&api).await?.run(&parts).await
        }
        Run::Abuse(settings) => abuse::run(&settings).await,
        Run::Webhooks => {
            let secret = Stack::setting("GUILDHALL_PIX_WEBHOOK_SECRET")?;
            let http = reqwest::Client::builder().no_proxy().build()?;
            Bank { http, url: format!("{api}/payments/instant/webhook?secret={secret}") }.measure().await
        }
    }
}

/// The demo community's player, game server and first offer.
async fn payments(api: &str) -> anyhow::Result<Drill> {
    let (player, password) = Stack::credential("player")?;
    let nobody = Client::new(api.to_owned())?;
    let offers = nobody.get("/shop/offers").await?;
    let offer_id = offers["items"][0]["offer_id"].as_i64().context("nothing is on sale")?;
    Ok(Drill {
        stack: Stack::from_environment()?,
        database: PgPool::connect(&Stack::setting("GUILDHALL_DATABASE_URL")?).await?,
        player: nobody.logged_in(&player, &password).await?,
        game: nobody.with_token("game", Stack::credential("game")?.1),
        bank: Client::new(format!("http://{}", Stack::setting("GUILDHALL_SANDBOX_LISTEN")?))?,
        character: "Mira Stormborn".to_owned(),
        offer_id,
    })
}
